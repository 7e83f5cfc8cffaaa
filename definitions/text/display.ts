/** Formats for messages and output: one line, plurals, URLs without credentials. */

/** The text in one line: line breaks become spaces. Indentation and colours are unchanged. */
export const joinLines = (text: string): string => text.replace(/[\r\n\u2028\u2029]+/g, " ");

/** `1 file`, `2 files`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Hides credentials in URLs: output ends up in pull requests and logs. */
export function redactUrl(text: string): string {
  return text
    .replace(/(https?:\/\/)[^/\s@]+@/g, "$1…@")
    .replace(/([?&][^=?&\s]{0,200}(?<=token|key|secret|sig|signature|pass|password|auth|code)=)[^&\s#"]+/gi, "$1…");
}
