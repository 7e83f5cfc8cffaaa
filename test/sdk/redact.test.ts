import { expect, test } from "vitest";
import { encodingsOf } from "../../redaction/encodings";
import { EsignError } from "../../sdk";
import { Redactor } from "../../sdk/http/redact";
import { cases, fc } from "../chance";
import { failure, good, key, serve } from "./server";

test("every encoding of a key is redacted, whatever surrounds it", () => {
  const keys = fc.string({ unit: "grapheme-ascii", minLength: 6, maxLength: 60 }).filter((k) => !/[\s:]/.test(k));
  fc.assert(
    fc.property(keys, fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), (secret, before, after) => {
      const redactor = new Redactor();
      redactor.add(secret);
      const hex = Buffer.from(secret).toString("hex");
      for (const encoded of [
        secret,
        encodeURIComponent(secret),
        new URLSearchParams({ "": secret }).toString().slice(1),
        JSON.stringify(secret).slice(1, -1),
        hex,
        hex.toUpperCase(),
        ...[`${secret}:x`, `${secret}:`].map((text) => Buffer.from(text).toString("base64")),
        Buffer.from(`${secret}:x`).toString("base64url"),
      ])
        expect(redactor.redact(`a ${before} ${encoded} ${after} z`)).not.toContain(encoded);
    }),
  );
});

/** Ways in which pages, logs and programs write a text, each of which a reader undoes. */
const each = (text: string, write: (unit: string) => string) => [...text].map(write).join("");
const hexOf = (unit: string, length: number) => unit.charCodeAt(0).toString(16).padStart(length, "0");
const wrap = (text: string, mark: string) => text.replace(/(?<=^(?:.{7})+)(?=.)/gs, mark);
const written: Record<string, (text: string) => string> = {
  "percent, all": (text) => each(text, (unit) => `%${hexOf(unit, 2)}`),
  "percent, twice": (text) => each(text, (unit) => `%25${hexOf(unit, 2).toUpperCase()}`),
  "percent, some": (text) => text.replace(/[aeiou0-4]/g, (unit) => `%${hexOf(unit, 2)}`),
  "decimal entities": (text) => each(text, (unit) => `&#${unit.charCodeAt(0)};`),
  "hexadecimal entities": (text) => each(text, (unit) => `&#x00${hexOf(unit, 2).toUpperCase()};`),
  "entities without an end, mixed": (text) =>
    text.replace(/[b-k](?=(.?))/g, (unit, next) => `&#${unit.charCodeAt(0)}${/\d/.test(next) ? ";" : ""}`),
  "escaped entities": (text) => each(text, (unit) => `&amp;#${unit.charCodeAt(0)};`),
  JSON: (text) => each(text, (unit) => `\\u${hexOf(unit, 4)}`),
  "JSON in JSON": (text) => each(text, (unit) => `\\\\u${hexOf(unit, 4).toUpperCase()}`),
  JavaScript: (text) =>
    text.replace(/[a-f]/g, (unit) => `\\x${hexOf(unit, 2)}`).replace(/[g-k]/g, (unit) => `\\u{${hexOf(unit, 1)}}`),
  "line ends": (text) => wrap(text, "\r\n   "),
  "quoted-printable": (text) => wrap(text, "=\n"),
  spaces: (text) => wrap(text, " "),
  "invisible characters": (text) => wrap(text, "\u200b\u00ad"),
  tags: (text) => wrap(text, '<wbr class="x">'),
  "strings of several lines": (text) => wrap(text, "' +\n  '"),
  "base64 in lines": (text) => wrap(Buffer.from(`${text}:`).toString("base64"), "\n"),
  "escaped line ends": (text) => wrap(text, "\\n"),
};

test.each(Object.entries(written))("a key written as %s is redacted, and the text around it is not", (_, write) => {
  const secret = "k9Zr-27fa_b3c4d5e6f708192a3b";
  const redactor = new Redactor();
  redactor.add("another-key");
  redactor.add(secret);
  for (const [before, after] of [
    ["The key ", " is not valid."],
    ["100 % of <b>", "</b>\n&amp; more"],
    ["", ""],
  ] as const) {
    const text = redactor.redact(before + write(secret) + after);
    expect(text).toBe(`${before}[redacted]${after}`);
  }
});

test("texts are redacted whole before they are cut", async () => {
  for (const at of [...Array(45).keys()].map((i) => 160 + i)) {
    const said = `${"x".repeat(at)}${key}${"y".repeat(400)}`;
    for (const filler of ["", "z".repeat(300)]) {
      const service = await serve(() => ({
        status: 502,
        headers: { "content-type": "text/html" },
        body: `<html><title lang="en">${filler}${said}</title>`,
      }));
      const error = await failure(service.client({ retries: 0 }).branding.get(), EsignError);
      expect(everything(error)).not.toContain(key.slice(0, 6));
    }
  }
  const redactor = new Redactor();
  redactor.add(key);
  for (let length = 1; length < key.length + 4; length++)
    expect(redactor.excerpt(`a\n${key} b`, length)).toBe("a [redacted] b".slice(0, length) + (length < 14 ? "…" : ""));
});

test("texts without a key are unchanged", () => {
  const redactor = new Redactor();
  redactor.add(key);
  const texts = ["Basic authentication is wanted", "a=b&c=d", '{"message":"api_key is missing"}', "", "💚 ünïcode"];
  expect(texts.map((text) => redactor.redact(text))).toEqual(texts);
});

test("keys that were never added are recognized by what precedes them", () => {
  const redactor = new Redactor();
  expect(redactor.redact('{"api_key":"abc","company_api_key": "d\\"ef","x":1}')).toBe(
    '{"api_key":"[redacted]","company_api_key": "[redacted]","x":1}',
  );
  expect(redactor.redact("POST ?api_key=abc123&x=1")).toBe("POST ?api_key=[redacted]&x=1");
  expect(redactor.redact(`Authorization: Basic ${Buffer.from("k9:x").toString("base64")}`)).toBe(
    "Authorization: Basic [redacted]",
  );
});

test("no property of an error, however deep, holds the account's key or one that came in a reply", async () => {
  const sub = "sub-key-123456789";
  const service = await serve(({ path }, _, response) => {
    if (path === "/v1/companies") return { body: { http: 200, company_id: 5, api_key: sub, company_name: "c" } };
    if (path === "/v1/branding") return void response.destroy();
    const said = `${key} ${sub} ${Buffer.from(`${sub}:x`).toString("base64")} ${encodeURIComponent(key)}`;
    return { status: 400, body: { http: 400, code: 10010, message: said, detail: said } };
  });
  const client = service.client({ retries: 0 });
  await client.companies.create({ company_name: "c", user_name: "u", user_email: "u@c.example" });
  for (const call of [
    client.webhooks.create({ webhook_type: "all", webhook_url: `https://r.example/${key}` }),
    client.branding.get(),
    client.envelopes.get({ envelope_fingerprint: key }),
    client.webhooks.get({ webhook_id: key }),
  ].map((call) => failure(call, EsignError))) {
    const shown = everything(await call);
    for (const secret of [key, sub, encodeURIComponent(key), Buffer.from(`${sub}:x`).toString("base64")])
      expect(shown).not.toContain(secret);
  }
});

/** All text in an object, also what is not enumerable. */
function everything(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== "object" || value === null || seen.has(value)) return String(value);
  seen.add(value);
  return Reflect.ownKeys(value)
    .map((name) => `${String(name)}=${everything((value as Record<PropertyKey, unknown>)[name], seen)}`)
    .join("\n");
}

test("the fingerprint tells keys apart and does not show them", async () => {
  const service = await serve(() => good);
  const one = await service.client().keyFingerprint();
  expect(one).toMatch(/^[0-9a-f]{16}$/);
  expect(await service.client().keyFingerprint()).toBe(one);
  expect(await service.client({ apiKey: async () => key }).keyFingerprint()).toBe(one);
  expect(await service.client({ apiKey: `${key}2` }).keyFingerprint()).not.toBe(one);
});

test("a key is found in other capitals, also where small letters are of another length", () => {
  const redactor = new Redactor();
  redactor.add("clé-Secrète");
  expect(redactor.redact("İİ CLÉ-SECRÈTE İ")).toBe("İİ [redacted] İ");
});

test("every encoding of many keys is redacted, whatever surrounds it, and nothing else", () => {
  const unit = fc.constantFrom(...'abAB01-_é%"');
  const keys = fc.array(fc.string({ unit, minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 });
  const around = fc.string({ unit: fc.constantFrom(..."aA0 +/=é."), maxLength: 6 });
  fc.assert(
    fc.property(keys, around, around, fc.nat(), fc.nat(), (secrets, before, after, which, encoding) => {
      const redactor = new Redactor();
      for (const secret of secrets) redactor.add(secret);
      const written = encodingsOf(secrets[which % secrets.length]!);
      const { text } = written[encoding % written.length]!;
      // Where one key begins in another, the ends of that one stay, apart.
      const shown = redactor.redact(`${before}${text}${after}`).replaceAll("[redacted]", "\n").toLowerCase();
      expect(shown).not.toContain(text.toLowerCase());
      const foreign = "xyzzy XYZZY ÜX";
      expect(redactor.redact(foreign)).toBe(foreign);
    }),
    { numRuns: cases(60) },
  );
});

test("a short secret that a longer one begins with does not uncover the rest of it", () => {
  const redactor = new Redactor();
  for (const secret of ["abc", "abcdefgh12345"]) redactor.add(secret);
  expect(redactor.redact("x abcdefgh12345 abc y")).toBe("x [redacted] [redacted] y");
});
