/** Removes keys from strings, in every encoding in which a key may be sent or printed. */
import { ELLIPSIS, toOneLine } from "../text/one-line";
import { type CompactText, compactText } from "./compact-text";

const REDACTED = "[redacted]";

/** Members of replies and notifications that are secret: keys, and links with which anyone can sign or change a draft. */
const secretMembers =
  "\\w*api_key|webhook_secret|session_url|party_signing_url|envelope_signing_embed|signing_page_link";

/** Whether a member of this name is hidden from output and logs. */
export const isSecretMember = (name: string): boolean => new RegExp(`^(?:${secretMembers})$`, "i").test(name);

/** Secrets that are recognizable by what precedes them, even if they were never added. */
const PATTERNS = [
  new RegExp(`("(?:${secretMembers})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`, "gi"),
  new RegExp(`(\\b(?:${secretMembers})=)[^&\\s"'<>]+`, "gi"),
  /(\bBasic\s+)(?=[A-Za-z+/_-]*[0-9=])[A-Za-z0-9+/_-]{4,}={0,2}/gi,
];

/** Fewest characters of an escaped or divided key. */
const shortest = 6;

/** Length of the prefixes by which encodings are indexed. */
const prefixLength = 4;

/** Redacts the keys of a client and of its subaccounts. */
export class Redactor {
  readonly #keys = new Set<string>();
  /** Not encoded yet: it takes a second for the ten thousand keys of a partner, and most of them are never searched for. */
  #added: string[] = [];
  /** All encodings in lower case, by their length: searching for ten thousand keys, which begin alike, is as fast as for one. */
  readonly #shapes: Shape[] = [];
  readonly #prefixes = new Set<string>();
  /** Lengths of those prefixes; short keys have shorter ones. */
  readonly #prefixLengths = new Set<number>();

  /** Redacts this key from now on. */
  add(key: string): void {
    if (key === "" || this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#added.push(key);
  }

  #encodeAdded(): void {
    const keys = this.#added;
    this.#added = [];
    for (const encoding of keys.flatMap(encodingsOf)) {
      const text = toLowerCase(encoding.text);
      const prefix = text.slice(0, prefixLength);
      this.#prefixes.add(prefix);
      this.#prefixLengths.add(prefix.length);
      this.#shape(text.length, encoding.partial).texts.add(text);
    }
  }

  #shape(length: number, partial: boolean): Shape {
    const existing = this.#shapes.find((shape) => shape.length === length && shape.partial === partial);
    if (existing !== undefined) return existing;
    const shape: Shape = { length, partial, texts: new Set() };
    this.#shapes.push(shape);
    // Partial ones first, since they extend to what follows.
    this.#shapes.sort((a, b) => Number(b.partial) - Number(a.partial) || b.length - a.length);
    return shape;
  }

  /** The text without keys. What is to be shown in part gets {@link excerpt}: of a key that was cut, the rest is not recognized. */
  redact(text: string): string {
    return PATTERNS.reduce(
      (result, pattern) => result.replace(pattern, `$1${REDACTED}`),
      this.#keys.size === 0 ? text : this.#withoutKeys(text),
    );
  }

  /** The beginning of a text in one line: the whole text is redacted before it is cut. */
  excerpt(text: string, length = 500): string {
    const line = toOneLine(this.redact(text));
    return line.length > length ? `${line.slice(0, length)}${ELLIPSIS}` : line;
  }

  #withoutKeys(text: string): string {
    this.#encodeAdded();
    const ranges = this.#find(text);
    const compact = compactText(text);
    if (compact !== undefined) ranges.push(...this.#find(compact.text, compact));
    ranges.sort(([a], [b]) => a - b);
    let clean = "";
    let done = 0;
    for (const [from, to] of ranges) {
      if (from >= done) clean += text.slice(done, from) + REDACTED;
      done = Math.max(done, to);
    }
    return clean + text.slice(done);
  }

  /** Where in a text keys are. Of a compact text, the places in the original. */
  #find(text: string, places?: CompactText): [from: number, to: number][] {
    const lowerCase = toLowerCase(text);
    // Words around a compact text's key are no part of it.
    const isJoined = (i: number) => places === undefined || places.ends[i - 1] === places.starts[i];
    const ranges: [number, number][] = [];
    let done = 0;
    for (let i = 0; i < text.length; i++) {
      const hit = this.#match(lowerCase, i);
      // Short keys occur by chance where words are joined.
      if (hit === undefined || (places !== undefined && hit.length < shortest)) continue;
      let [from, to] = [i, i + hit.length];
      if (hit.partial) {
        // With the characters around it, which encode the key's first and last bytes.
        while (from > Math.max(done, i - 2) && isBase64.test(text[from - 1]!) && isJoined(from)) from--;
        while (to < text.length && (isBase64.test(text[to]!) || text[to] === "=") && isJoined(to)) to++;
      }
      ranges.push(places === undefined ? [from, to] : [places.starts[from]!, places.ends[to - 1]!]);
      done = to;
      i = to - 1;
    }
    return ranges;
  }

  /** The shape of the encoded key that begins at a position. */
  #match(text: string, position: number): Shape | undefined {
    for (const length of this.#prefixLengths)
      if (this.#prefixes.has(text.slice(position, position + length)))
        return this.#shapes.find((shape) => shape.texts.has(text.slice(position, position + shape.length)));
    return undefined;
  }
}

/** Encoded keys of the same length. */
interface Shape extends Pick<EncodedKey, "partial"> {
  length: number;
  texts: Set<string>;
}

const isBase64 = /[A-Za-z0-9+/_-]/;

/** Lower case of the same length: letters whose length would change stay. */
function toLowerCase(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase();
  return text.replace(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });
}

/** A key in one of its encodings. */
export interface EncodedKey {
  kind: "clear" | "JSON" | "URL" | "hex" | "base64";
  text: string;
  /** True for the part of a base64 text that does not depend on what precedes and follows the key. */
  partial: boolean;
}

/** All encodings of a key: plain, JSON, URL and form, hex, and base64 at any offset. */
export function encodingsOf(key: string): EncodedKey[] {
  const bytes = Buffer.from(key);
  const encodings = new Map<string, EncodedKey>();
  const add = (kind: EncodedKey["kind"], text: string, partial = false) => {
    if (!encodings.has(text)) encodings.set(text, { kind, text, partial });
  };
  add("clear", key);
  add("JSON", JSON.stringify(key).slice(1, -1));
  add("URL", encodeURIComponent(key));
  add("URL", new URLSearchParams({ key }).toString().slice("key=".length));
  add("hex", bytes.toString("hex"));
  for (const tail of ["", ":", ":x"]) add("base64", Buffer.from(key + tail).toString("base64"));
  for (const text of base64Parts(bytes)) add("base64", text, true);
  return [...encodings.values()];
}

/**
 * The parts of a base64 text that bytes have at any offset: what precedes and follows them changes only the characters at
 * their ends. In both alphabets; none that is too short to be recognized.
 */
export function base64Parts(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const middle = encoded.slice(Math.ceil((before * 4) / 3), Math.floor((before + bytes.length) / 3) * 4);
    return middle.length < 8 ? [] : [middle, middle.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
