import { browserUrl, schemeOf } from "../../../account-folder/text/html/addresses";
import { attributeOf, type StartTag } from "../../../account-folder/text/html/parse";
import { lintRule } from "../../rule";

/** Gmail reads what an email is about, such as an order, from JSON-LD: nothing of it runs. */
const isData = (tag: StartTag) => /^\s*application\/ld\+json\b/i.test(attributeOf(tag, "type")?.value ?? "");

export const script = lintRule({
  name: "script",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Remove scripts. Mail clients strip them, and spam filters flag them.",
  *check({ texts: email }) {
    for (const tag of email.body.tags) {
      if (tag.name === "script" && !isData(tag)) {
        yield { place: email.place(tag), message: "scripts do not run in emails", fix: "remove the <script> element" };
      }
      for (const attribute of tag.attributes) {
        if (/^on[a-z]/.test(attribute.name)) {
          yield {
            place: email.place(attribute),
            message: `${attribute.name} is a script, which does not run in emails`,
            fix: "remove the attribute",
          };
        } else if (schemeOf(browserUrl(attribute.value)) === "javascript") {
          yield {
            place: email.place(attribute.valueAt),
            message: "javascript: URLs do not work in emails",
            fix: "link to a page",
          };
        }
      }
    }
  },
});
