/**
 * Undoes what may hide a key in a text: decodes escapes and drops what splits words (line ends, tags, invisible characters). Keys are
 * then searched for in the result. Each of its characters has a position in the original text, so that what was found can be removed
 * there.
 */

export interface DecodedText {
  text: string;
  /** For each UTF-16 unit of the text, where in the original it begins and ends. */
  starts: Uint32Array;
  ends: Uint32Array;
}

/** How often an escape may be escaped. */
const mostLevels = 4;

/** Escapes of URLs, HTML, JSON and JavaScript. */
const escapes =
  /(?:%[0-9a-f]{2})+|&#x0*([0-9a-f]{1,6});?|&#0*(\d{1,7});?|&([a-z]{2,6});|\\u([0-9a-f]{4})|\\u\{0*([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|\\([/"'\\nrtvfb])/gi;

const named: Record<string, string> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", shy: "", num: "#", percnt: "%", lowbar: "_" },
  ...{ dollar: "$", plus: "+", equals: "=", sol: "/", colon: ":", period: ".", comma: ",", hyphen: "-", dash: "-" },
  ...{ excl: "!", commat: "@", quest: "?", semi: ";", ast: "*", lpar: "(", rpar: ")", tab: "\t" },
};

/**
 * What may split a key: white space and a mark of continuation before it, tags, a string that goes on in the next line. What is repeated
 * before something else is bounded: a service sends what it likes.
 */
const gap =
  /<\/?[a-z][^<>]*>|["'`]\s{0,99}\+(?=[^\S\r\n]{0,99}[\r\n])\s{0,99}["'`]|[=\\]?(?:\r\n|\r|\n)|[\s\p{Cc}\p{Cf}]+/giu;

/** Undefined for a text without any of it. */
export function decodeText(original: string): DecodedText | undefined {
  if (!/[%&\\<\s\p{Cc}\p{Cf}]/u.test(original)) return undefined;
  const starts = new Uint32Array(original.length).map((_, i) => i);
  let result: DecodedText = { text: original, starts, ends: starts.map((i) => i + 1) };
  for (let level = 0; level < mostLevels; level++) {
    const decoded = replaceAt(result, escapes, decode);
    if (decoded.text === result.text) break;
    result = decoded;
  }
  result = replaceAt(result, gap, () => "");
  return result.text === original ? undefined : result;
}

/** Replaces what a pattern matches by something that is no longer, and keeps the places. */
function replaceAt(decoded: DecodedText, pattern: RegExp, replacementOf: (...match: Captures) => string): DecodedText {
  const { text, starts, ends } = decoded;
  // Most messages have nothing of it.
  if (text.search(pattern) < 0) return decoded;
  const [newStarts, newEnds] = [new Uint32Array(text.length), new Uint32Array(text.length)];
  let length = 0;
  let done = 0;
  const copy = (to: number) => {
    for (; done < to; done++, length++) {
      newStarts[length] = starts[done]!;
      newEnds[length] = ends[done]!;
    }
  };
  const replaced = text.replace(pattern, (...match) => {
    // Captures come first, the text comes last.
    const begin: number = match.at(-2);
    copy(begin);
    done = begin + match[0].length;
    const replacement = replacementOf(...(match as Captures));
    newStarts.fill(starts[begin]!, length, length + replacement.length);
    newEnds.fill(ends[done - 1]!, length, length + replacement.length);
    length += replacement.length;
    return replacement;
  });
  copy(text.length);
  return { text: replaced, starts: newStarts.subarray(0, length), ends: newEnds.subarray(0, length) };
}

/** What a pattern's groups matched, the whole first. */
type Captures = [whole: string, ...groups: (string | undefined)[]];

function decode(...[whole, hex, decimal, name, unit, point, byte, control]: Captures): string {
  if (whole.startsWith("%")) return decodePercent(whole);
  if (name !== undefined) return named[name.toLowerCase()] ?? whole;
  if (control !== undefined) return /[nrtvfb]/i.test(control) ? " " : control;
  const code = decimal === undefined ? Number.parseInt(hex ?? unit ?? point ?? byte ?? "", 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

/** Bytes in UTF-8; what is not valid stays. */
function decodePercent(codes: string): string {
  const bytes = Buffer.from(codes.replaceAll("%", ""), "hex");
  const text = bytes.toString("utf8");
  return text.includes("\uFFFD") ? bytes.toString("latin1").replace(/[\x80-\xff]/g, percentOf) : text;
}

const percentOf = (character: string) => `%${character.charCodeAt(0).toString(16)}`;
