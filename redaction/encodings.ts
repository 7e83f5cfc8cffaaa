/** How programs and protocols write a secret. */
import { shortestBase64Part } from "./shortest-secrets";

/** A secret in one of its encodings. */
export interface EncodedSecret {
  kind: "clear" | "JSON" | "URL" | "hex" | "base64";
  text: string;
  /** True for the part of a base64 text that does not depend on what precedes and follows the secret. */
  partial: boolean;
}

/** All encodings of a secret: plain, JSON, URL and form, hex, and base64 at any offset, also within JSON. */
export function encodingsOf(secret: string): EncodedSecret[] {
  const bytes = Buffer.from(secret);
  const encodings = new Map<string, EncodedSecret>();
  const add = (kind: EncodedSecret["kind"], text: string, partial = false) => {
    if (!encodings.has(text)) encodings.set(text, { kind, text, partial });
  };
  add("clear", secret);
  add("JSON", inJson(secret));
  add("URL", encodeURIComponent(bytes.toString()));
  add("URL", new URLSearchParams({ key: secret }).toString().slice("key=".length));
  add("hex", bytes.toString("hex"));
  for (const tail of ["", ":", ":x"]) add("base64", Buffer.from(secret + tail).toString("base64"));
  for (const whole of [secret, inJson(secret)])
    for (const text of base64Parts(Buffer.from(whole))) add("base64", text, true);
  return [...encodings.values()];
}

/** Inside the quotation marks of JSON, and of what Node prints of an object. */
export const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/**
 * The parts of a base64 text that bytes have at any offset: what precedes and follows them changes only the characters at
 * their ends. In both alphabets; none that is too short to be recognized.
 */
export function base64Parts(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const middle = encoded.slice(Math.ceil((before * 4) / 3), Math.floor((before + bytes.length) / 3) * 4);
    return middle.length < shortestBase64Part ? [] : [middle, middle.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
