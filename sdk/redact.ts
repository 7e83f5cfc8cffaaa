/** Takes keys out of texts: in clear and in every notation in which one may travel or be printed. */

const REDACTED = "[redacted]";

/** Keys that this process was never told, recognisable by what stands before them. */
const RECOGNISABLE = [
  /("(?:company_)?api_key"\s*:\s*")(?:[^"\\]|\\.)*/gi,
  /(\b(?:company_)?api_key=)[^&\s"'<>]+/gi,
  /(\bBasic\s+)(?=[A-Za-z+/_-]*[0-9=])[A-Za-z0-9+/_-]{4,}={0,2}/gi,
];

/** Knows the keys of a connection and of its sub accounts, and hides them. */
export class Redactor {
  readonly #keys = new Set<string>();
  #pattern: RegExp | undefined;

  /** Hides this key from now on. */
  add(key: string): void {
    if (key === "" || this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#pattern = undefined;
  }

  /** The text without any key. */
  text(text: string): string {
    if (this.#keys.size > 0) {
      this.#pattern ??= new RegExp([...this.#keys].flatMap(patterns).join("|"), "gi");
      text = text.replace(this.#pattern, REDACTED);
    }
    return RECOGNISABLE.reduce((result, pattern) => result.replace(pattern, `$1${REDACTED}`), text);
  }
}

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

/** Patterns of a key in all notations. */
function patterns(key: string): string[] {
  const notations = notationsOf(key).sort((a, b) => b.text.length - a.text.length);
  return [
    // With the characters that follow, which hold the key's last bytes.
    ...notations
      .filter(({ partial }) => partial)
      .map(({ text }) => `[A-Za-z0-9+/_-]{0,2}${escapePattern(text)}[A-Za-z0-9+/_-]*={0,2}`),
    ...notations.filter(({ partial }) => !partial).map(({ text }) => escapePattern(text)),
  ];
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
