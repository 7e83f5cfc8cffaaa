import { schemeOf } from "../../../account-folder/text/html/addresses";
import { attributeOf } from "../../../account-folder/text/html/parse";
import { lintRule } from "../../rule";

export const emptyLink = lintRule({
  name: "empty-link",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: 'Give each link a target, and each image a URL: not "#", nor cid:, which has no attachment here.',
  *check({ texts: email }) {
    for (const tag of email.body.tags) {
      const [href, src] = [attributeOf(tag, "href"), attributeOf(tag, "src")];
      if (tag.name === "a" && href?.value.trim() === "#")
        yield {
          place: email.place(href.valueAt),
          message: 'href="#" leads nowhere',
          fix: "write the URL, or remove the link",
        };
      else if (tag.name === "img" && src === undefined)
        yield {
          place: email.place(tag),
          message: "the image has no src",
          fix: "write the URL of the image, or remove it",
        };
      else if (src !== undefined && schemeOf(src.value.trim()) === "cid")
        yield {
          place: email.place(src.valueAt),
          message: "cid: is a part of the email, and the API takes none",
          fix: "host the image and link to it",
        };
    }
  },
});
