/** Rules for markup, encodings and control characters in a text that readers would see: leftovers of a program, a form or a header. */
import type { SourcedText } from "../../account-folder/placeholders/source-map";
import { type EmailTexts, type Field, fieldNames } from "../email-texts";
import { lintRule, type Violation } from "../rule";

/** What one pattern matches in some of the fields, each written text once. */
function* matchesIn(
  email: EmailTexts,
  fields: readonly Field[],
  pattern: RegExp,
  describe: (written: string, field: Field) => Pick<Violation, "message" | "fix">,
): Iterable<Violation> {
  for (const [field, text] of email.written) {
    if (!fields.includes(field)) continue;
    const seen = new Set<string>();
    for (const { 0: written, index } of text.text.matchAll(pattern)) {
      if (seen.has(written)) continue;
      seen.add(written);
      yield { place: placeOf(text, index, written), ...describe(written, field) };
    }
  }
}

const placeOf = (text: SourcedText, index: number, written: string) => text.place(index, index + written.length);

const TAGS =
  "a|b|body|br|center|div|em|font|h[1-6]|head|hr|html|i|img|li|ol|p|s|span|strong|style|table|tbody|td|tr|u|ul";
const ENTITY =
  "&(?:#\\d{1,7}|#x[\\da-f]{1,6}|amp|apos|bull|copy|euro|[gl]t|hellip|laquo|[lr][ds]quo|mdash|middot|nbsp|ndash|pound|quot|raquo|reg|rsquo|shy|trade|[aeiou](?:acute|circ|grave|uml)|szlig|ccedil|ntilde);";
const MARKUP = new RegExp(`${ENTITY}|</?(?:${TAGS})(?:\\s[^<>]{0,200})?/?>|<!doctype[^<>]{0,200}>`, "gi");

const htmlInText = lintRule({
  name: "html-in-text",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Write subjects and plain texts without HTML: readers see tags and entities as they are.",
  check: ({ texts: email }) =>
    matchesIn(email, ["subject", "contentPlain"], MARKUP, (written, field) => ({
      message: `${fieldNames[field]} has the HTML ${written.slice(0, 40)}, which readers see as it is`,
      fix: written.startsWith("&") ? "write the character itself" : "remove the tag",
    })),
});

const encodedSubject = lintRule({
  name: "encoded-subject",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Write the subject in plain letters: the service encodes it for the email's header.",
  check: ({ texts: email }) =>
    matchesIn(email, ["subject"], /=\?[\w-]{1,40}\?[bq]\?[^?\s]{0,200}\?=/gi, () => ({
      message: "the subject has an encoded word of an email's header, which readers would see",
      fix: "write the text that it encodes",
    })),
});

/** UTF-8 that was read in a Western encoding, and what no encoding could read. */
const MOJIBAKE =
  /\ufffd|Ã[\u0080-\u00bf\u0152-\u0192\u2013-\u203a\u20ac\u2122]|â€[\u0080-\u00bf\u0152-\u0178\u02c6\u02dc\u2013-\u203a\u20ac\u2122]|Â[\u00a0-\u00bf](?=[\s\u00a0]|\p{L}|\d)|ðŸ/gu;

const mojibake = lintRule({
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

const controlCharacter = lintRule({
  name: "control-character",
  kinds: ["BrandingEmail"],
  severity: "warning",
  description: "Remove control characters. Mail clients show them as boxes, or end the text there.",
  check: ({ texts: email }) =>
    matchesIn(email, ["subject", "content", "contentPlain"], CONTROL, (written, field) => ({
      message: `${fieldNames[field]} has the control character U+${written.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}, which editors do not show`,
      fix: "remove it",
    })),
});

const ONCE = new Set(["html", "head", "body"]);

const nestedDocument = lintRule({
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

export const writtenTextRules = [htmlInText, encodedSubject, mojibake, controlCharacter, nestedDocument];
