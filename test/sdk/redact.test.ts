import { expect, test } from "vitest";
import { EsignError } from "../../sdk";
import { encodingsOf, Redactor } from "../../sdk/http/redact";
import { cases, fc } from "../chance";
import { failure, good, key, serve } from "./server";

test("every encoding of a key is redacted, whatever surrounds it", () => {
  const keys = fc.string({ unit: "grapheme-ascii", minLength: 6, maxLength: 60 }).filter((k) => !/[\s:]/.test(k));
  fc.assert(
    fc.property(keys, fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), (secret, before, after) => {
      const redactor = new Redactor();
      redactor.add(secret);
      const hex = Buffer.from(secret).toString("hex");
      for (const notation of [
        secret,
        encodeURIComponent(secret),
        new URLSearchParams({ "": secret }).toString().slice(1),
        JSON.stringify(secret).slice(1, -1),
        hex,
        hex.toUpperCase(),
        ...[`${secret}:x`, `${secret}:`].map((text) => Buffer.from(text).toString("base64")),
        Buffer.from(`${secret}:x`).toString("base64url"),
      ])
        expect(redactor.redact(`a ${before} ${notation} ${after} z`)).not.toContain(notation);
    }),
  );
});

test("texts without a key stay as they are", () => {
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
    fc.property(keys, around, around, fc.nat(), fc.nat(), (secrets, before, after, which, notation) => {
      const redactor = new Redactor();
      for (const secret of secrets) redactor.add(secret);
      const written = encodingsOf(secrets[which % secrets.length]!);
      const { text } = written[notation % written.length]!;
      // Where one key begins in another, the ends of that one stay, apart.
      const shown = redactor.redact(`${before}${text}${after}`).replaceAll("[redacted]", "\n").toLowerCase();
      expect(shown).not.toContain(text.toLowerCase());
      const foreign = "xyzzy XYZZY ÜX";
      expect(redactor.redact(foreign)).toBe(foreign);
    }),
    { numRuns: cases(300) },
  );
});
