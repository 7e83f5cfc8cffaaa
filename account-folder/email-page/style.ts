/** How the page looks. Choices are radio buttons, and what they show is decided here: the page works without its script. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f7; --card: #fff; --line: #dfe2e7; --ink: #1a1d23; --soft: #5d6572; --accent: #2458c5;
  --added: #d8f3df; --added-ink: #0b5a26; --removed: #ffe1e0; --removed-ink: #8f1d18; --warn: #8a5a00; --bad: #b3261e;
  --stage: #e6e9ee; --chip: #eceff3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #121417; --card: #1b1e23; --line: #30353d; --ink: #e8eaee; --soft: #9aa3b0; --accent: #8ab0ff;
    --added: #123d22; --added-ink: #9be7b4; --removed: #4a1d1b; --removed-ink: #ffb8b3; --warn: #f0b95b; --bad: #ff8a80;
    --stage: #0c0e10; --chip: #2a2f37;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 5rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1, h2, h3, p, ul { margin: 0; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.bar {
  position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center;
  padding: .7rem 1.5rem; background: var(--card); border-bottom: 1px solid var(--line);
}
.bar h1 { font-size: 1.05rem; font-weight: 650; }
.bar .who { margin-right: auto; display: flex; gap: .8rem; align-items: center; min-width: 0; }
.bar .label { color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
.choice { display: flex; border: 0; margin: 0; padding: 3px; background: var(--chip); border-radius: 9px; }
.choice legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.choice input { position: absolute; opacity: 0; pointer-events: none; }
.choice label { padding: .2rem .75rem; border-radius: 6px; font-size: .85rem; cursor: pointer; color: var(--soft); user-select: none; }
.choice input:checked + label { background: var(--card); color: var(--ink); box-shadow: 0 1px 2px #0003; font-weight: 600; }
.choice input:focus-visible + label { outline: 2px solid var(--accent); outline-offset: 1px; }
.layout { display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); gap: 1.5rem; max-width: 96rem; margin: 0 auto; padding: 1.5rem; }
nav { position: sticky; top: 5rem; align-self: start; display: grid; gap: 1rem; }
nav ul { list-style: none; padding: 0; display: grid; gap: 2px; }
nav a { display: flex; gap: .4rem; align-items: baseline; padding: .35rem .6rem; border-radius: 8px; color: inherit; text-decoration: none; }
nav a:hover { background: var(--chip); }
nav a span:first-child { margin-right: auto; }
nav .absent { color: var(--soft); }
.brand { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: .9rem; display: grid; gap: .7rem; }
.brand h2 { font-size: .78rem; font-weight: 600; color: var(--soft); text-transform: uppercase; letter-spacing: .05em; }
.brand .logo { display: grid; place-items: center; min-height: 5.5rem; padding: .8rem; border-radius: 8px; background: #fff; border: 1px solid var(--line); }
.brand .logo img { color: #444; font-size: .75rem; overflow-wrap: anywhere; max-width: 100%; max-height: 5rem; }
.brand .logo.none { background: none; color: var(--soft); font-size: .82rem; overflow-wrap: anywhere; text-align: center; }
.brand .colour { display: flex; align-items: center; gap: .6rem; font-size: .9rem; }
.swatch { width: 2.2rem; height: 2.2rem; border-radius: 8px; border: 1px solid var(--line); flex: none; }
.badge { font-size: .72rem; font-weight: 600; padding: .05rem .45rem; border-radius: 99px; background: var(--chip); color: var(--soft); white-space: nowrap; }
.badge.changed, .badge.new { background: var(--accent); color: var(--card); }
.badge.error { color: var(--bad); box-shadow: inset 0 0 0 1px currentColor; background: none; }
.badge.warning { color: var(--warn); box-shadow: inset 0 0 0 1px currentColor; background: none; }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.75rem; align-content: start; }
.email { background: var(--card); border: 1px solid var(--line); border-radius: 14px; overflow: clip; }
.email > header { display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: baseline; padding: .9rem 1.25rem .2rem; }
.email h2 { font-size: 1.15rem; }
.email > header code { color: var(--soft); font-size: .85rem; }
.inbox { display: flex; gap: .75rem; align-items: center; margin: .5rem 1.25rem 1rem; min-width: 0; }
.avatar { width: 2.3rem; height: 2.3rem; border-radius: 50%; display: grid; place-items: center; font-weight: 700; flex: none; }
.inbox div:last-child { min-width: 0; }
.inbox .from { font-size: .85rem; color: var(--soft); }
.inbox .subject { font-weight: 650; overflow-wrap: anywhere; }
.inbox .snippet { color: var(--soft); font-size: .88rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.bodies { display: grid; grid-template-columns: minmax(0, 1fr) minmax(16rem, 24rem); border-top: 1px solid var(--line); }
.bodies > section { min-width: 0; padding: 1rem 1.25rem 1.25rem; }
.bodies > section + section { border-left: 1px solid var(--line); }
.bodies h3, .email .part > h3 { font-size: .78rem; font-weight: 600; color: var(--soft); text-transform: uppercase; letter-spacing: .05em; margin-bottom: .6rem; }
.html { background: var(--stage); }
.frames { display: flex; flex-wrap: wrap; gap: 1.25rem; justify-content: center; }
.frames figure { margin: 0; flex: 1 1 18rem; display: grid; gap: .4rem; min-width: 0; max-width: 44rem; transition: max-width .15s; }
.frames figcaption { font-size: .78rem; color: var(--soft); text-align: center; }
iframe { width: 100%; min-height: 7rem; border: 0; border-radius: 8px; background: #fff; display: block; box-shadow: 0 1px 3px #0003; }
iframe.dark { background: #1b1b1d; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .82rem; line-height: 1.55; }
.plain pre { unicode-bidi: plaintext; max-height: 60rem; overflow: auto; }
.none { color: var(--soft); font-style: italic; }
.part { border-top: 1px solid var(--line); padding: 1rem 1.25rem 1.25rem; }
.part dl { display: grid; gap: .9rem; margin: 0; }
.part dt { font-weight: 600; font-size: .85rem; margin-bottom: .2rem; }
.part dd { margin: 0; padding: .7rem .9rem; border: 1px solid var(--line); border-radius: 8px; max-height: 34rem; overflow: auto; }
ins { background: var(--added); color: var(--added-ink); text-decoration: none; border-radius: 3px; }
del { background: var(--removed); color: var(--removed-ink); border-radius: 3px; }
.skip { color: var(--soft); font-style: italic; font-size: .9em; }
summary { cursor: pointer; font-size: .85rem; color: var(--accent); }
.findings ul { list-style: none; padding: 0; display: grid; gap: .6rem; font-size: .9rem; }
.findings li { display: grid; gap: .1rem; padding-left: .8rem; border-left: 3px solid var(--warn); overflow-wrap: anywhere; }
.findings li.error { border-color: var(--bad); }
.findings .at { color: var(--soft); font-size: .8rem; }
.absent > header { padding-bottom: .9rem; }
.absent > header p { color: var(--soft); flex-basis: 100%; }
footer { max-width: 96rem; margin: 0 auto; padding: 0 1.5rem 2rem; color: var(--soft); font-size: .82rem; }
[data-offline] .bar::after { content: "esign emails serve has ended"; color: var(--bad); font-size: .85rem; }

/* What the choices show. */
body:has(#width-phone:checked) .frames figure { max-width: 23.4375rem; flex-basis: 23.4375rem; }
body:has(#width-phone:checked) iframe { min-height: 34rem; border-radius: 26px; box-shadow: 0 0 0 7px #23262b, 0 6px 18px #0005; }
body:has(#width-phone:checked) .frames { padding-top: 7px; gap: 2.5rem; }
body:has(#view-compare:checked) .bodies.two { grid-template-columns: minmax(0, 1fr); }
body:has(#view-compare:checked) .bodies.two > section + section { border-left: 0; border-top: 1px solid var(--line); }
/* Smaller, so that two frames side by side are as wide inside as a desktop's. */
body:has(#view-compare:checked):has(#width-desktop:checked) .two iframe { zoom: .8; }
body:has(#scheme-light:checked) .dark, body:has(#scheme-dark:checked) .light { display: none; }
body:has(#scheme-dark:checked) .html { background: #000; color: #c8ccd2; }
body:has(#view-result:checked) .before, body:has(#view-result:checked) .changes { display: none; }

@media (max-width: 64rem) {
  .layout { grid-template-columns: minmax(0, 1fr); padding: 1rem; }
  nav { position: static; }
  nav ul { display: flex; flex-wrap: wrap; }
}
@media (max-width: 48rem) {
  .bodies { grid-template-columns: minmax(0, 1fr); }
  .bodies > section + section { border-left: 0; border-top: 1px solid var(--line); }
  .bar, .bodies > section, .part { padding-left: 1rem; padding-right: 1rem; }
  .html { padding-left: .6rem; padding-right: .6rem; }
}
@media print { .bar, nav { position: static; } .choice { display: none; } }
`;
