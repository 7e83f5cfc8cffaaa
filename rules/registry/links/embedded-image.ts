import { schemeOf } from "../../../account-folder/text/html/addresses";
import { lintRule } from "../../rule";

export const embeddedImage = lintRule({
  name: "embedded-image",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Host images on a server. Some mail clients do not show images embedded in the HTML.",
  *check({ texts: email }) {
    for (const { url, element, start } of email.body.addresses) {
      if (element !== "img" || schemeOf(url) !== "data") continue;
      yield {
        place: email.place({ start, end: start + 5 }),
        message: "some mail clients do not show embedded images",
        fix: "host the image and link to it",
      };
    }
  },
});
