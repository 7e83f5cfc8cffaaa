/** The page's script: fits frames to their emails, and keeps choices across reloads. Frames run no scripts. */

/** Allowed by its hash in the page's content policy. */
export const pageScript = `
"use strict";
const fit = (frame) => {
  const root = frame.contentDocument && frame.contentDocument.documentElement;
  if (!root || !frame.offsetParent) return;
  frame.style.height = "0px";
  // A table that is too wide adds a scroll bar, which needs space of its own.
  const bar = root.scrollWidth > root.clientWidth ? 16 : 0;
  frame.style.height = Math.min(root.scrollHeight + bar, 6000) + "px";
};
const sizes = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    if (target.dataset.width === String(contentRect.width)) continue;
    target.dataset.width = String(contentRect.width);
    requestAnimationFrame(() => fit(target));
  }
});
for (const frame of document.querySelectorAll("iframe")) {
  frame.addEventListener("load", () => fit(frame));
  fit(frame);
  sizes.observe(frame);
}
const remembered = JSON.parse(sessionStorage.getItem("choices") || "{}");
for (const input of document.querySelectorAll("input[type=radio]")) {
  if (remembered[input.name] === input.value) input.checked = true;
  input.addEventListener("change", () => {
    remembered[input.name] = input.value;
    try { sessionStorage.setItem("choices", JSON.stringify(remembered)); } catch {}
  });
}
`;

/** Reloads the page when files change; shows when the command has ended. */
export const reloadScript = `
const events = new EventSource("/events");
events.addEventListener("reload", () => location.reload());
events.addEventListener("error", () => { document.body.dataset.offline = ""; });
events.addEventListener("open", () => { delete document.body.dataset.offline; });
`;
