import { schemeOf } from "../../../account-folder/text/html/addresses";
import { lintRule } from "../../rule";

export const relativeLink = lintRule({
  name: "relative-link",
  kinds: ["BrandingEmail"],
  severity: "error",
  description: "Use absolute URLs.",
  *check({ texts: email }) {
    const content = email.text("content");
    for (const { url, element, source, start, end } of email.body.addresses) {
      // A variable or an unresolved placeholder may be the beginning of a URL, or all of it.
      if (source === "text" || schemeOf(url) !== undefined || /^[#{]/.test(url)) continue;
      if (url === "" && source === "style") continue;
      if (content!.hasUnresolved(start, Math.max(end, start + 1)) && /^‹/.test(url)) continue;
      yield {
        place: content!.place(start, end),
        message: url === "" ? `the URL of <${element}> is empty` : `"${url}" is not an absolute URL`,
        fix: "write the whole URL, starting with https://",
      };
    }
  },
});
