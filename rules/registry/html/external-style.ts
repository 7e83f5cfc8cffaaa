import { attributeOf } from "../../../account-folder/text/html/parse";
import { lintRule } from "../../rule";

/** Other clients show the text in the next font that they have. Outlook takes one that it does not find for Times. */
const hideWebFont = "hide a web font from Outlook: <!--[if !mso]><!-->…<!--<![endif]-->";

export const externalStyle = lintRule({
  name: "external-style",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description:
    "Inline your styles. Most mail clients do not load external style sheets. What Outlook skips may have them: web fonts are added there.",
  *check({ texts: email }) {
    const { body } = email;
    for (const tag of body.tags) {
      if (tag.name !== "link" || !/\bstylesheet\b/i.test(attributeOf(tag, "rel")?.value ?? "")) continue;
      if (body.isSkippedByOutlook(tag.start)) continue;
      yield {
        place: email.place(tag),
        message: "most mail clients do not load external style sheets",
        fix: `use style attributes or a <style> element; ${hideWebFont}`,
      };
    }
    for (const address of body.addresses) {
      if (!address.isImport || body.isSkippedByOutlook(address.start)) continue;
      yield {
        place: email.place(address),
        message: "most mail clients do not follow @import",
        fix: `write the styles inline; ${hideWebFont}`,
      };
    }
  },
});
