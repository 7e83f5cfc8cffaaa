/** The forms in which programs write a key into files, as the bytes of these files. */
import { base64Parts, encodingsOf, inJson } from "../../../redaction/encodings";
import { escapeHtml } from "../../../sdk/text/html-escape";

/** A key as it may be written. */
interface WrittenForm {
  /** How it is encoded, for people. */
  encoding: string;
  /** The bytes, one a character (latin1), without zeros: so a text of 16 bits a character is found like one of 8. */
  bytes: string;
}

/** All forms of a key, each once. */
export function writtenForms(key: string): WrittenForm[] {
  const texts = [
    ...encodingsOf(key).map(({ kind, text }) => [kind, text] as const),
    ...jsonForms(key).map((text) => ["JSON", text] as const),
    ...urlForms(key).map((text) => ["URL", text] as const),
    ...htmlForms(key).map((text) => ["HTML", text] as const),
    ["hex", Buffer.from(key).toString("hex").toUpperCase()] as const,
    // As PowerShell encodes its commands.
    ...base64Parts(Buffer.from(key, "utf16le")).map((text) => ["base64", text] as const),
  ];
  const forms = new Map<string, WrittenForm>();
  for (const [kind, text] of texts)
    for (const bytes of bytesOf(text)) if (!forms.has(bytes)) forms.set(bytes, { encoding: kind, bytes });
  return [...forms.values()];
}

/** A text in UTF-8, and in UTF-16 of both byte orders. */
function bytesOf(text: string): string[] {
  const wide = Buffer.from(text, "utf16le");
  const all = [Buffer.from(text), wide, Buffer.from(wide).swap16()];
  return all.map((bytes) => bytes.toString("latin1").replaceAll("\0", ""));
}

/** In a JSON text, with the escapes that libraries add, and in a JSON text within a JSON text. */
function jsonForms(key: string): string[] {
  const json = inJson(key);
  const once = [json, json.replaceAll("/", "\\/"), escapeUnits(json, /[<>&\u2028\u2029]/g)];
  const all = [
    ...once.flatMap((text) => [text, escapeUnits(text, /[^\0-\x7f]/g), escapeUnits(text, /[^\0-\x7f]/g, true)]),
    escapeUnits(key, /[\s\S]/g),
    escapeUnits(key, /[\s\S]/g, true),
  ];
  return all.flatMap((text) => [text, inJson(text)]);
}

/** JSON's escapes of some characters, with small or capital digits. */
function escapeUnits(text: string, which: RegExp, areCapitals = false): string {
  return text.replace(which, (unit) => {
    const digits = unit.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${areCapitals ? digits.toUpperCase() : digits}`;
  });
}

/** Percent-encoded in the ways that the client does not use itself. */
function urlForms(key: string): string[] {
  const percent = (text: string) => Buffer.from(text).toString("hex").toUpperCase().replace(/../g, "%$&");
  const strict = encodeURIComponent(key).replace(/[!'()*]/g, percent);
  const all = [strict, new URLSearchParams({ key }).toString().slice("key=".length), percent(key)];
  return [...all, encodeURIComponent(key)].flatMap((text) => [
    text,
    text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  ]);
}

function htmlForms(key: string): string[] {
  const html = escapeHtml(key);
  return ["&#39;", "&#039;", "&#x27;", "&apos;", "'"].map((quote) => html.replaceAll("&#39;", quote));
}
