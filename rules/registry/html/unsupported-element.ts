import { lintRule } from "../../rule";

/** Elements that mail clients remove or show without their function. */
const UNSUPPORTED = new Set(
  "applet audio base button canvas dialog embed form frame frameset iframe input math object select svg textarea video".split(
    " ",
  ),
);

export const unsupportedElement = lintRule({
  name: "unsupported-element",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Avoid elements that mail clients remove: forms, frames, video, inline SVG.",
  *check({ texts: email }) {
    for (const tag of email.body.tags) {
      if (!UNSUPPORTED.has(tag.name)) continue;
      yield {
        place: email.place(tag),
        message: `mail clients remove <${tag.name}> or show it without its function`,
        fix: tag.name === "button" ? "replace it with a link styled as a button" : "use a link or an image instead",
      };
    }
  },
});
