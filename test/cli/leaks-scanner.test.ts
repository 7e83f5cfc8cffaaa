/** A key is found in every encoding in which programs write one. */
import { expect, test } from "vitest";
import { Scanner } from "../../cli/commands/leaks/scanner";
import { fc } from "../chance";

const latin1 = async function* (bytes: Buffer, size: number) {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size).toString("latin1");
};
const scan = async (key: string, bytes: Buffer, size = 7) =>
  (
    await new Scanner([{ key, name: "x" }]).scan("f", latin1(bytes, size), (error) => {
      throw error;
    })
  ).map(({ encoding }) => encoding);
const escapeUnits = (pattern: RegExp, digits: (hex: string) => string) => (key: string) =>
  key.replace(pattern, (unit) => `\\u${digits(unit.charCodeAt(0).toString(16).padStart(4, "0"))}`);
const lower = (hex: string) => hex;
const upper = (hex: string) => hex.toUpperCase();
const percent = (bytes: Buffer, digits = lower) =>
  [...bytes].map((byte) => `%${digits(byte.toString(16).padStart(2, "0"))}`).join("");
const inJson = (key: string) => JSON.stringify(key).slice(1, -1);

/** Ways of writing a key, by name. */
const ways: Record<string, (key: string) => Buffer | string> = {
  "UTF-8": (key) => key,
  "UTF-16LE": (key) => Buffer.from(`\ufeff${key}`, "utf16le"),
  "UTF-16BE": (key) => Buffer.from(`\ufeff${key}`, "utf16le").swap16(),
  JSON: inJson,
  "JSON in JSON": (key) => inJson(inJson(key)),
  "JSON in ASCII": (key) => escapeUnits(/[^\0-\x7f]/g, lower)(inJson(key)),
  "JSON in ASCII, capitals": (key) => escapeUnits(/[^\0-\x7f]/g, upper)(inJson(key)),
  "JSON, all escaped": (key) => escapeUnits(/[\s\S]/g, lower)(key),
  "JSON of PHP": (key) => escapeUnits(/[^\0-\x7f]/g, lower)(inJson(key)).replaceAll("/", "\\/"),
  "JSON of Go": (key) => escapeUnits(/[<>&\u2028\u2029]/g, lower)(inJson(key)),
  URI: (key) => encodeURIComponent(key),
  "URI, small": (key) => encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
  "URI, strict": (key) => encodeURIComponent(key).replace(/[!'()*]/g, (c) => percent(Buffer.from(c), upper)),
  "URI, all": (key) => percent(Buffer.from(key), upper),
  form: (key) => new URLSearchParams({ key }).toString().slice(4),
  HTML: (key) =>
    key
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;"),
  hex: (key) => Buffer.from(key).toString("hex"),
  "hex, capitals": (key) => Buffer.from(key).toString("hex").toUpperCase(),
  base64: (key) => Buffer.from(key).toString("base64"),
  "base64 in a text": (key) => Buffer.from(`user:${key}\n`).toString("base64"),
  base64url: (key) => Buffer.from(`xx${key}:`).toString("base64url"),
  "base64 of UTF-16": (key) => Buffer.from(`$key = '${key}'`, "utf16le").toString("base64"),
  "hex in UTF-16": (key) => Buffer.from(Buffer.from(key).toString("hex"), "utf16le"),
  "base64 in UTF-16": (key) => Buffer.from(Buffer.from(key).toString("base64"), "utf16le"),
};
const keys = [
  "abc123-DEF_456",
  "a+b/c=d&e<f>'g\"h\\i!(j)*~k",
  "Schlüssel-ß-9",
  "ключ-ключ",
  "鍵鍵鍵鍵鍵鍵",
  "🔑🔑🔑🔑-key",
];

test.each(Object.keys(ways).flatMap((way) => keys.map((key) => [way, key])))("%s of %s", async (way, key) => {
  const written = ways[way!]!(key!);
  const bytes = Buffer.concat([
    Buffer.from("before\n"),
    Buffer.isBuffer(written) ? written : Buffer.from(written),
    Buffer.from("\nafter"),
  ]);
  expect(await scan(key!, bytes)).toHaveLength(1);
});

test("any key, in any way, in any pieces; and not its neighbours", async () => {
  const anyKey = fc
    .string({ unit: "grapheme", minLength: 8, maxLength: 24 })
    .filter((key) => Buffer.from(key).length >= 8 && !/[\0\s]/.test(key));
  await fc.assert(
    fc.asyncProperty(
      anyKey,
      fc.constantFrom(...Object.keys(ways)),
      fc.integer({ min: 1, max: 40 }),
      async (key, way, size) => {
        const written = ways[way]!(key);
        const bytes = Buffer.isBuffer(written) ? written : Buffer.from(written);
        expect((await scan(key, bytes, size)).length, way).toBeGreaterThan(0);
        expect(await scan(`${key}zzzz`, bytes, size)).toEqual([]);
      },
    ),
  );
});
