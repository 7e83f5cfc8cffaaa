import { fieldLabels } from "../../email-texts";
import { lintRule } from "../../rule";

export const byteOrderMark = lintRule({
  name: "byte-order-mark",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Begin texts without a byte order mark, such as that of a file that a program has read.",
  *check({ texts: email }) {
    for (const [field, text] of email.written) {
      if (!text.text.startsWith("\ufeff")) continue;
      yield {
        place: text.place(0, 1),
        message: `${fieldLabels[field]} begins with a byte order mark, which editors do not show`,
        fix: 'remove it, or save the file as "UTF-8 without BOM"',
      };
    }
  },
});
