/** Formats for messages and output: one line, plurals. */

/** The text in one line: line breaks become spaces. Indentation and colours are unchanged. */
export const joinLines = (text: string): string => text.replace(/[\r\n\u2028\u2029]+/g, " ");

/** `1 file`, `2 files`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
