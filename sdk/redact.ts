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
      this.#pattern ??= new RegExp([...this.#keys].flatMap(notations).join("|"), "gi");
      text = text.replace(this.#pattern, REDACTED);
    }
    return RECOGNISABLE.reduce((result, pattern) => result.replace(pattern, `$1${REDACTED}`), text);
  }
}

/** Patterns of a key: in clear, as JSON, in addresses and forms, in hex, and in base64 at any place of what was encoded. */
function notations(key: string): string[] {
  const bytes = Buffer.from(key);
  const plain = new Set([
    key,
    JSON.stringify(key).slice(1, -1),
    encodeURIComponent(key),
    new URLSearchParams({ key }).toString().slice("key=".length),
    bytes.toString("hex"),
    ...["", ":", ":x"].map((tail) => Buffer.from(key + tail).toString("base64")),
  ]);
  // What comes before and after the key changes the characters at its ends only: the middle stays.
  const middles = [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const middle = encoded.slice(Math.ceil((before * 4) / 3), Math.floor((before + bytes.length) / 3) * 4);
    return middle.length >= 8 ? [middle] : [];
  });
  const base64 = [...middles, ...middles.map((m) => m.replaceAll("+", "-").replaceAll("/", "_"))];
  return [
    // With the characters that follow, which hold the key's last bytes.
    ...new Set(base64.map((m) => `[A-Za-z0-9+/_-]{0,2}${escapePattern(m)}[A-Za-z0-9+/_-]*={0,2}`)),
    ...[...plain].sort((a, b) => b.length - a.length).map(escapePattern),
  ];
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
