/** Takes keys out of texts: in clear and in every notation in which one may travel or be printed. */

const REDACTED = "[redacted]";

/** Keys that this process was never told, recognisable by what stands before them. */
const RECOGNISABLE = [
  /("(?:company_)?api_key"\s*:\s*")(?:[^"\\]|\\.)*/gi,
  /(\b(?:company_)?api_key=)[^&\s"'<>]+/gi,
  /(\bBasic\s+)(?=[A-Za-z+/_-]*[0-9=])[A-Za-z0-9+/_-]{4,}={0,2}/gi,
];

/** Characters by which notations are looked for. */
const beginLength = 4;

/** Knows the keys of a connection and of its sub accounts, and hides them. */
export class Redactor {
  readonly #keys = new Set<string>();
  /** All notations, in small letters, by their first characters: to look for a thousand keys takes no longer than for one. */
  readonly #byBegin = new Map<string, Notation[]>();
  /** How many characters those are: fewer for keys that have no more. */
  readonly #beginLengths = new Set<number>();

  /** Hides this key from now on. */
  add(key: string): void {
    if (key === "" || this.#keys.has(key)) return;
    this.#keys.add(key);
    for (const notation of notationsOf(key)) {
      const text = small(notation.text);
      const begin = text.slice(0, beginLength);
      const alike = [...(this.#byBegin.get(begin) ?? []), { ...notation, text }];
      // Partial ones come first, since they take along what follows.
      alike.sort((a, b) => Number(b.partial) - Number(a.partial) || b.text.length - a.text.length);
      this.#byBegin.set(begin, alike);
      this.#beginLengths.add(begin.length);
    }
  }

  /** The text without any key. */
  text(text: string): string {
    return RECOGNISABLE.reduce(
      (result, pattern) => result.replace(pattern, `$1${REDACTED}`),
      this.#keys.size === 0 ? text : this.#withoutKnown(text),
    );
  }

  #withoutKnown(text: string): string {
    const inSmall = small(text);
    let clean = "";
    let done = 0;
    for (let i = 0; i < text.length; i++) {
      const hit = this.#at(inSmall, i);
      if (hit === undefined) continue;
      let [from, to] = [i, i + hit.text.length];
      if (hit.partial) {
        // With the characters around it, which hold the key's first and last bytes.
        from -= /[A-Za-z0-9+/_-]{0,2}$/.exec(text.slice(Math.max(done, i - 2), i))![0].length;
        rest.lastIndex = to;
        to += rest.exec(text)![0].length;
      }
      clean += text.slice(done, from) + REDACTED;
      done = to;
      i = to - 1;
    }
    return clean + text.slice(done);
  }

  /** The notation that begins at a place. */
  #at(text: string, place: number): Notation | undefined {
    for (const length of this.#beginLengths) {
      const alike = this.#byBegin.get(text.slice(place, place + length));
      const hit = alike?.find((notation) => text.startsWith(notation.text, place));
      if (hit !== undefined) return hit;
    }
    return undefined;
  }
}

/** The rest of what is written in base64. */
const rest = /[A-Za-z0-9+/_-]*={0,2}/y;

/** In small letters, at the same places: those of few letters are of another length. */
const small = (text: string): string =>
  text.replace(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });

/** One way in which a key may be written. */
export interface Notation {
  kind: "clear" | "JSON" | "URL" | "hex" | "base64";
  text: string;
  /** True for the part of a base64 text that is the same whatever stands before and after the key. */
  partial: boolean;
}

/** All ways in which a key may be written: in clear, as JSON, in addresses and forms, in hex, and in base64 at any place of what was encoded. */
export function notationsOf(key: string): Notation[] {
  const bytes = Buffer.from(key);
  const found = new Map<string, Notation>();
  const add = (kind: Notation["kind"], text: string, partial = false) => {
    if (!found.has(text)) found.set(text, { kind, text, partial });
  };
  add("clear", key);
  add("JSON", JSON.stringify(key).slice(1, -1));
  add("URL", encodeURIComponent(key));
  add("URL", new URLSearchParams({ key }).toString().slice("key=".length));
  add("hex", bytes.toString("hex"));
  for (const tail of ["", ":", ":x"]) add("base64", Buffer.from(key + tail).toString("base64"));
  // What comes before and after the key changes the characters at its ends only: the middle stays.
  for (const before of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const middle = encoded.slice(Math.ceil((before * 4) / 3), Math.floor((before + bytes.length) / 3) * 4);
    if (middle.length < 8) continue;
    add("base64", middle, true);
    add("base64", middle.replaceAll("+", "-").replaceAll("/", "_"), true);
  }
  return [...found.values()];
}
