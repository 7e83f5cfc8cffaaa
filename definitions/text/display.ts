/** Formats for messages and output: a text in one line, plurals. */

/** A text in one line. */
export const toOneLine = (text: string): string => text.replace(/[\r\n\u2028\u2029]+/g, " ");

/** `1 file`, `2 files`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
