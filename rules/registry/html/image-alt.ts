import { attributeOf } from "../../../account-folder/text/html/parse";
import { lintRule } from "../../rule";

export const imageAlt = lintRule({
  name: "image-alt",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Give each image an alt text. Many readers block images or use a screen reader.",
  *check({ texts: email }) {
    for (const tag of email.body.tags) {
      if (tag.name !== "img" || attributeOf(tag, "alt")) continue;
      yield {
        place: email.place(tag),
        message: "the image has no alt text",
        fix: 'describe it: alt="…", or alt="" for decoration',
      };
    }
  },
});
