/** Formats texts for messages in one line. */

/** Marks where a text was cut. */
export const ELLIPSIS = "…";

/** One line without control characters. */
export const toOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
