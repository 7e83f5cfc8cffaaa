/** Characters that no reader sees, as a part of a character class: soft hyphen, joiners, direction marks, spaces without width. */
export const INVISIBLE = "\\p{Default_Ignorable_Code_Point}";

/** U+200B between two letters is the end of a word, in scripts that are written without spaces. */
const FILLING =
  /(?:\u034f|[\u00ad\u115f\u1160\u180e\u2060-\u2064\u3164\ufeff\uffa0]|(?<![\p{L}\p{M}])\u200b|\u200b(?![\p{L}\p{M}]))+/gu;
const SPACE = "\\s\\u00a0\\u2000-\\u200a";
/** Joiners that join nothing: fillers of a preheader. Begins at the first space: within a long run, each would be tried. */
const FILLER = new RegExp(`(?<![${SPACE}])[${SPACE}]*(?:[\\u00ad\\u200c\\u200d]+(?:[${SPACE}]+|$))+`, "gu");

/** A plain text without what only fills space in HTML: soft hyphens, rows of characters without width. Joiners between letters are kept. */
export const withoutFillers = (text: string): string =>
  text
    .replace(FILLING, "\u00ad")
    .replace(FILLER, (filler) => /\n[^\S\n]*\n/.exec(filler)?.[0] ?? (filler.includes("\n") ? "\n" : " "))
    .replaceAll("\u00ad", "");
