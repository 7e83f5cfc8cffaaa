import { matchesIn } from "../../checks/matches-in";
import { lintRule } from "../../rule";

/** UTF-8 that was read in a Western encoding, and what no encoding could read. */
const MOJIBAKE =
  /\ufffd|Ã[\u0080-\u00bf\u0152-\u0192\u2013-\u203a\u20ac\u2122]|â€[\u0080-\u00bf\u0152-\u0178\u02c6\u02dc\u2013-\u203a\u20ac\u2122]|Â[\u00a0-\u00bf](?=[\s\u00a0]|\p{L}|\d)|ðŸ/gu;

export const mojibake = lintRule({
  name: "mojibake",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Save files in the encoding that they were written in: letters that were read in another one are wrong.",
  check: ({ texts: email }) =>
    matchesIn(email, ["subject", "content", "contentPlain"], MOJIBAKE, (written) => ({
      message: `"${written}" looks like a letter that was read in another encoding`,
      fix: "restore the text from its source, and save the file as UTF-8",
    })),
});
