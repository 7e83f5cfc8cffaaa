/** Removes the values of arguments from the API's messages: the provider cannot know which value is secret. */

import { shortestSecret } from "../../redaction/shortest-secrets";
import { escapeHtml } from "../../sdk/text/html-escape";
import { collapseWhitespace, ELLIPSIS } from "../../sdk/text/one-line";

/** The API's messages may repeat what was sent, truncated where the message is. */
export function redactValues(text: string, values: readonly (string | undefined)[]): string {
  const sent = values.flatMap((value) => (value === undefined ? [] : writtenForms(value)));
  return [...new Set(sent)]
    .filter((value) => value.length >= shortestSecret)
    .sort((a, b) => b.length - a.length)
    .reduce((result, value) => redactTruncated(result.replaceAll(value, "[value]"), value), text);
}

/** The API's messages are shown in one line, and it may have escaped what it repeats. */
function writtenForms(value: string): string[] {
  const line = collapseWhitespace(plainText(value));
  const html = escapeHtml(line);
  const form = new URLSearchParams({ "": line }).toString().slice(1);
  return [
    line,
    ...["&#39;", "&#039;", "'"].map((quote) => html.replaceAll("&#39;", quote)),
    html.replaceAll("&quot;", '"').replaceAll("&#39;", "'"),
    JSON.stringify(line).slice(1, -1),
    form,
    form.replaceAll("+", "%20"),
  ];
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

/** Removes the beginning of a value where something was truncated: the message, or a part of it. */
function redactTruncated(text: string, value: string): string {
  const parts = text.split(ELLIPSIS);
  const last = parts.pop()!;
  const redacted = parts.map((part) => {
    let length = Math.min(part.length, value.length);
    while (length >= shortestSecret && !part.endsWith(value.slice(0, length))) length--;
    return length >= shortestSecret ? `${part.slice(0, -length)}[value]` : part;
  });
  return [...redacted, last].join(ELLIPSIS);
}
