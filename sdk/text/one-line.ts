/** Excerpts of what the API returned, in one line. */

/** Marks where a text was cut. */
export const ELLIPSIS = "…";

/** The text in one line: all whitespace and control characters between two words become one space. */
export const collapseWhitespace = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
