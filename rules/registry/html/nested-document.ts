import { lintRule } from "../../rule";

const ONCE = new Set(["html", "head", "body"]);

export const nestedDocument = lintRule({
  name: "nested-document",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Keep one document in the HTML body. Mail clients read a second one inside of it in different ways.",
  *check({ texts: email }) {
    const seen = new Set<string>();
    for (const tag of email.body.tags) {
      if (!ONCE.has(tag.name) || email.body.isSkippedByOutlook(tag.start)) continue;
      if (seen.has(tag.name)) {
        yield {
          place: email.place(tag),
          message: `the HTML body has a second <${tag.name}>: a whole document inside of another`,
          fix: "keep what is in its <body>",
        };
        return;
      }
      seen.add(tag.name);
    }
  },
});
