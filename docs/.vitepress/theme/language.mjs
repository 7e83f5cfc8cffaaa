/** The reader's language: what was chosen in one example is shown in all, on every page, as long as the browser keeps it. */
const key = "language";

const labelsOf = (group) => [...group.querySelectorAll(".tabs label")];

/** Without a click, after which the generator scrolls. */
function show(language) {
  for (const group of document.querySelectorAll(".vp-code-group")) {
    const at = labelsOf(group).findIndex((label) => label.textContent === language);
    if (at < 0) continue;
    group.querySelectorAll(".tabs input")[at].checked = true;
    for (const [i, block] of [...group.querySelector(".blocks").children].entries())
      block.classList.toggle("active", i === at);
  }
}

/** A browser may refuse to keep anything: then a choice is that of its example. */
function kept() {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export const showChosen = () => show(kept());

export function keepChoice() {
  addEventListener("change", ({ target }) => {
    const group = target.closest(".vp-code-group");
    const label = group && labelsOf(group).find((one) => one.htmlFor === target.id);
    if (!label) return;
    try {
      localStorage.setItem(key, label.textContent);
    } catch {
      return;
    }
    showChosen();
  });
}
