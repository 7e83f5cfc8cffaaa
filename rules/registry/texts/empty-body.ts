import { lintRule } from "../../rule";

export const emptyBody = lintRule({
  name: "empty-body",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Write visible content into the HTML body.",
  *check({ texts: email }) {
    const content = email.text("content");
    if (!content) return;
    const { view, tags, isShown } = email.body;
    const isVisible =
      view.texts.some(({ text, within, isShown }) => isShown && within === undefined && text.trim() !== "") ||
      tags.some(({ name, start }) => name === "img" && isShown(start));
    if (!isVisible) {
      yield {
        place: content.place(0),
        message: "the HTML body has no visible content",
        fix: "write a text, or empty the file to leave the account's body unchanged",
      };
    }
  },
});
