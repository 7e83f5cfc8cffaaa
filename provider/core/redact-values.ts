/** Removes the values of arguments from the API's messages: the provider cannot know which value is secret. */

import { SecretTexts } from "../../redaction/secret-texts";
import { shortestInAnyForm, shortestSecret } from "../../redaction/shortest-secrets";
import { escapeHtml } from "../../sdk/text/html-escape";
import { collapseWhitespace, ELLIPSIS } from "../../sdk/text/one-line";
import { parseUrl } from "../../sdk/text/url";

const mark = "[value]";

/** The API's messages may repeat what was sent, truncated where the message is, and in any encoding. */
export function redactValues(text: string, values: readonly (string | undefined)[]): string {
  const sent = [...new Set(values.flatMap((value) => (value === undefined ? [] : spellings(plainText(value)))))];
  const forms = [...new Set(sent.flatMap(writtenForms))]
    .filter((form) => form.length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  const secrets = new SecretTexts(shortestInAnyForm);
  for (const value of sent) if (value.length >= shortestSecret) secrets.add(value);
  const whole = forms.reduce((result, form) => result.replaceAll(form, mark), text);
  return secrets.replace(redactTruncated(whole, forms), mark);
}

/** A value, also in one line, and an address as parsers write it. */
const spellings = (value: string): string[] => [value, collapseWhitespace(value), parseUrl(value)?.href ?? value];

/** The API may have escaped what it repeats, and its messages are shown in one line. */
function writtenForms(value: string): string[] {
  const html = escapeHtml(value);
  const json = JSON.stringify(value).slice(1, -1);
  const form = new URLSearchParams({ "": value }).toString().slice(1);
  return [
    value,
    ...["&#39;", "&#039;", "'"].map((quote) => html.replaceAll("&#39;", quote)),
    html.replaceAll("&quot;", '"').replaceAll("&#39;", "'"),
    json,
    json.replaceAll("/", "\\/"),
    form,
    form.replaceAll("+", "%20"),
  ].map(collapseWhitespace);
}

/** Texts of settings that this version does not know are kept as JSON. */
function plainText(value: string): string {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === "string" ? parsed : value;
  } catch {
    return value;
  }
}

const truncation = new RegExp(`(${ELLIPSIS}|\\.{2,3})`);

/** Removes the beginning of a value where something was truncated: the message, or a part of it. Of several values, that of which more is left. */
function redactTruncated(text: string, forms: readonly string[]): string {
  // Each mark of truncation follows its part.
  const parts = text.split(truncation);
  return parts
    .map((part, i) => {
      if (i % 2 === 1 || i === parts.length - 1) return part;
      const length = Math.max(0, ...forms.map((form) => beginningAtEnd(part, form)));
      return length >= shortestSecret ? `${part.slice(0, -length)}${mark}` : part;
    })
    .join("");
}

/** How many of a value's first characters a text ends with. */
function beginningAtEnd(text: string, value: string): number {
  let length = Math.min(text.length, value.length);
  while (length >= shortestSecret && !text.endsWith(value.slice(0, length))) length--;
  return length;
}
