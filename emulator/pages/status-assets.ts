/** Style and script of the status page, which contains both. */

export const style = `
:root { --line: #d8dee4; --text: #1f2328; --quiet: #636c76; --back: #f6f8fa; --link: #0969da; }
* { box-sizing: border-box; }
body { font: 14px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); margin: 0; padding: 0 24px 48px; }
a { color: var(--link); }
.top { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 20px; padding: 16px 0 4px; }
h1 { font-size: 20px; margin: 0; } h2 { font-size: 16px; margin: 22px 0 8px; } h3 { font-size: 15px; margin: 0; }
h2 b, summary b { color: var(--quiet); font-weight: 500; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(520px, 100%), 1fr)); gap: 0 24px; align-items: start; }
.columns > div { min-width: 0; }
.card { background: #fff; border: 1px solid var(--line); border-radius: 8px; padding: 12px 16px; margin: 0 0 12px; overflow-x: auto; }
.card > header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.card > header h3 { flex: 1; }
.card.warn { border-color: #d4a72c; background: #fff8c5; }
.facts { color: var(--quiet); margin: 6px 0; }
.none { color: var(--quiet); margin: 4px 0; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th { text-align: left; color: var(--quiet); font-weight: 500; }
th, td { padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:has(> code) { min-width: 170px; }
tr:last-child td { border-bottom: 0; }
code { font: 12px ui-monospace, monospace; overflow-wrap: anywhere; }
time { white-space: nowrap; color: var(--quiet); font-size: 12px; }
details { border-top: 1px solid var(--line); padding: 6px 0; }
#emails > details:first-child, #deliveries > details:first-child { border-top: 0; }
#deliveries summary > code { margin-left: 16px; }
.buttons { display: flex; flex-wrap: wrap; gap: 6px; margin: 6px 0; } .buttons button { margin: 0; }
summary { cursor: pointer; }
.badge { display: inline-block; padding: 0 7px; border-radius: 10px; font-size: 12px; background: #eaeef2; white-space: nowrap; }
.badge.good { background: #dafbe1; color: #116329; } .badge.bad { background: #ffebe9; color: #a40e26; }
.badge.warn { background: #fff8c5; color: #7d4e00; } .badge.busy { background: #ddf4ff; color: #0550ae; }
button { font: 12px system-ui, sans-serif; padding: 1px 8px; margin-left: 4px; border: 1px solid var(--line); border-radius: 6px; background: var(--back); cursor: pointer; }
button:hover { border-color: var(--quiet); }
iframe { width: 100%; height: 260px; border: 1px solid var(--line); border-radius: 6px; background: #fff; }
pre { background: var(--back); padding: 8px 12px; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.5 ui-monospace, monospace; }
#message { position: fixed; bottom: 12px; right: 16px; margin: 0; background: #1f2328; color: #fff; padding: 6px 14px; border-radius: 8px; }
#message:empty { display: none; }
`;

export const script = `
"use strict";
const message = document.getElementById("message");
const say = (text) => { message.textContent = text; clearTimeout(say.timer); say.timer = setTimeout(() => { message.textContent = ""; }, 6000); };
let last = "";
async function refresh() {
  const text = await (await fetch("/?main")).text();
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  if (fresh.innerHTML === last) return;
  last = fresh.innerHTML;
  const main = document.querySelector("main");
  // Open sections stay open, and an open email is not reloaded.
  for (const details of fresh.querySelectorAll("details")) {
    const old = document.getElementById(details.id);
    if (!old) continue;
    if (old.open && details.id.startsWith("l-")) details.replaceWith(old);
    else details.open = old.open;
  }
  for (const [id, key] of keys) fresh.querySelector('[data-key="' + id + '"]')?.replaceWith(shown(key));
  main.replaceWith(document.adoptNode(fresh));
}
const keys = new Map();
const shown = (key) => { const code = document.createElement("code"); code.textContent = key; return code; };
async function press(button) {
  if (button.dataset.key) {
    const all = await (await fetch("/_control/keys")).json();
    keys.set(button.dataset.key, all.accounts[button.dataset.key]);
    button.replaceWith(shown(keys.get(button.dataset.key)));
    return;
  }
  const response = await fetch("/_control" + button.dataset.path, { method: button.dataset.method, body: button.dataset.body });
  if (!response.ok) say((await response.json()).message);
  await refresh();
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) press(button).catch((error) => say(String(error.message)));
});
setInterval(() => {
  const busy = document.activeElement?.tagName === "IFRAME";
  if (document.getElementById("live").checked && !document.hidden && !busy) refresh().catch(() => say("The emulator does not respond."));
}, 1500);
`;
