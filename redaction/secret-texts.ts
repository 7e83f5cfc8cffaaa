/** Finds secrets in texts, in every encoding in which they may be sent or printed. */
import { type DecodedText, decodeText } from "./decode-text";
import { type EncodedSecret, encodingsOf, inJson } from "./encodings";
import { shortestKey } from "./shortest-secrets";

/** Most characters of what is found encoded as a whole: a key has less, a document need not be looked for in hex. */
const longest = 4096;

/** Length of the prefixes by which encodings are indexed. */
const prefixLength = 4;

/** Encoded secrets of the same length. */
interface Shape extends Pick<EncodedSecret, "partial"> {
  length: number;
  texts: Set<string>;
}

type Range = [from: number, to: number];

export class SecretTexts {
  readonly #secrets = new Set<string>();
  /** Not encoded yet: it takes a second for the ten thousand keys of a partner, and most of them are never searched for. */
  #added: string[] = [];
  /** All encodings, in lower case, by their first characters: searching for ten thousand, which begin alike, is as fast as for one. */
  readonly #shapes = new Map<string, Shape[]>();
  /** Lengths of those prefixes, the longest first: a short secret may be how a longer one begins. */
  #prefixLengths: number[] = [];

  readonly #exact: number;

  /** @param exact texts with fewer characters are found only as they are: in their own case, and not escaped or divided */
  constructor(exact = 0) {
    this.#exact = exact;
  }

  get isEmpty(): boolean {
    return this.#secrets.size === 0;
  }

  /** Finds this text from now on. */
  add(secret: string): void {
    if (secret === "" || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    this.#added.push(secret);
  }

  /** The text with a mark in the place of each secret, but of what `isKept`. */
  replace(text: string, mark: string, isKept?: (found: string) => boolean): string {
    if (this.isEmpty) return text;
    this.#encodeAdded();
    const ranges = this.#find(text);
    const decoded = decodeText(text);
    if (decoded !== undefined) ranges.push(...this.#find(decoded.text, decoded));
    ranges.sort(([a], [b]) => a - b);
    let clean = "";
    let done = 0;
    for (const [from, to] of ranges) {
      if (isKept?.(text.slice(from, to))) continue;
      if (from >= done) clean += text.slice(done, from) + mark;
      done = Math.max(done, to);
    }
    return clean + text.slice(done);
  }

  #encodeAdded(): void {
    const secrets = this.#added;
    this.#added = [];
    for (const { text, partial } of secrets.flatMap(writtenForms)) {
      const form = text.length < this.#exact ? text : toLowerCase(text);
      const prefix = form.slice(0, prefixLength);
      this.#prefixLengths = [...new Set([...this.#prefixLengths, prefix.length])].sort((a, b) => b - a);
      const shapes = this.#shapes.get(prefix) ?? [];
      this.#shapes.set(prefix, shapes);
      const shape = shapes.find((one) => one.length === form.length && one.partial === partial);
      if (shape !== undefined) shape.texts.add(form);
      else {
        shapes.push({ length: form.length, partial, texts: new Set([form]) });
        // Partial ones first, since they extend to what follows.
        shapes.sort((a, b) => Number(b.partial) - Number(a.partial) || b.length - a.length);
      }
    }
  }

  /** Where in a text secrets are. Of a decoded text, the places in the original. */
  #find(text: string, places?: DecodedText): Range[] {
    const lowerCase = toLowerCase(text);
    // Words around a decoded text's secret are no part of it.
    const isJoined = (i: number) => places === undefined || places.ends[i - 1] === places.starts[i];
    const ranges: Range[] = [];
    let done = 0;
    for (let i = 0; i < text.length; i++) {
      const hit = this.#match(lowerCase, text, i);
      if (hit === undefined || (places !== undefined && hit.length < Math.max(shortestKey, this.#exact))) continue;
      let [from, to] = [i, i + hit.length];
      if (hit.partial) {
        // With the characters around it, which encode the secret's first and last bytes.
        while (from > Math.max(done, i - 2) && isBase64.test(text[from - 1]!) && isJoined(from)) from--;
        while (to < text.length && (isBase64.test(text[to]!) || text[to] === "=") && isJoined(to)) to++;
      }
      ranges.push(places === undefined ? [from, to] : [places.starts[from]!, places.ends[to - 1]!]);
      done = to;
      i = to - 1;
    }
    return ranges;
  }

  /** The shape of the encoded secret that begins at a position. */
  #match(lowerCase: string, text: string, position: number): Shape | undefined {
    for (const length of this.#prefixLengths) {
      const shapes = this.#shapes.get(lowerCase.slice(position, position + length));
      const exact = this.#exact === 0 ? undefined : this.#shapes.get(text.slice(position, position + length));
      // At most positions, nothing begins.
      if (shapes === undefined && exact === undefined) continue;
      const shape = [...(shapes ?? []), ...(exact ?? [])].find((one) => {
        const cased = one.length < this.#exact ? text : lowerCase;
        return one.texts.has(cased.slice(position, position + one.length));
      });
      if (shape !== undefined) return shape;
    }
    return undefined;
  }
}

const isBase64 = /[A-Za-z0-9+/_-]/;

/** Its encodings, and how a secret of several words or lines stands in a decoded text. A long one: as it is, and in JSON. */
function writtenForms(secret: string): Pick<EncodedSecret, "text" | "partial">[] {
  const clear = (text: string) => ({ text, partial: false });
  if (secret.length > longest) return [secret, inJson(secret)].map(clear);
  const joined = secret.replace(/\s+/g, "");
  return [...encodingsOf(secret), ...(joined.length < shortestKey ? [] : [clear(joined)])];
}

/**
 * Lower case of the same length: letters whose length would change stay. The search is for the first other character: a pattern of the
 * whole text would keep a place to go back to for each.
 */
function toLowerCase(text: string): string {
  if (!/\P{ASCII}/u.test(text)) return text.toLowerCase();
  return text.replace(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });
}
