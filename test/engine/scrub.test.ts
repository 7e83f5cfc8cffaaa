import { expect, test } from "vitest";
import { parsePath } from "../../engine/resource/property-path";
import { secret } from "../../engine/resource/property-value";
import { SecretFilter } from "../../engine/secrets/secret-filter";
import { fc } from "../chance";

test("every text of what is secret is hidden, but for what is said to be none", () => {
  const outputs = { book: secret({ key: "0123456789abcdef", text: "hush-hush" }), token: secret("deadbeef") };
  const said = "made with 0123456789abcdef, hush-hush, deadbeef";
  const scrubber = new SecretFilter();
  scrubber.allow(outputs, parsePath("book.key")!);
  scrubber.allow(outputs, parsePath("book")!);
  scrubber.allow(outputs, parsePath("nothing.like.it")!);
  scrubber.add(outputs);
  expect(scrubber.redact(said)).toBe("made with 0123456789abcdef, [secret], [secret]");
  const strict = new SecretFilter();
  strict.add(outputs);
  expect(strict.redact(said)).toBe("made with [secret], [secret], [secret]");
});

test("the longest of all that begin at a place is hidden, each as it is and as part of JSON", () => {
  const scrubber = new SecretFilter();
  for (const text of ["hush", "hush-hush", 'a "quoted"\nline', "12345", "abc"]) scrubber.addText(text);
  const said = ["hush-hush!", "hushes", JSON.stringify({ said: 'a "quoted"\nline' }), "12345 abc", "hus", ""];
  expect(said.map((text) => scrubber.redact(text))).toEqual([
    "[secret]!",
    "[secret]es",
    '{"said":"[secret]"}',
    "12345 abc",
    "hus",
    "",
  ]);
});

test("what is printed line by line is hidden line by line, but not what others may say, too", () => {
  const pem = "-----BEGIN PRIVATE KEY-----\r\n  MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\r\nshort\r\n";
  const scrubber = new SecretFilter();
  scrubber.add({ pem: secret(pem), book: secret({ text: "one of many lines\nanother of many lines" }) });
  const lines = [...pem.split("\n"), "'  MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\\r\\n' +", "one of many lines"];
  expect(lines.map((line) => scrubber.redact(line))).toEqual([
    "[secret]\r",
    "  [secret]\r",
    "short\r",
    "",
    "'  [secret]\\r\\n' +",
    "one of many lines",
  ]);
});

test("what is hidden is what a search for each of them would find", () => {
  const words = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 4, maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " "), maxLength: 60 });
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), text, (secrets, said) => {
      const scrubber = new SecretFilter();
      for (const secret of secrets) scrubber.addText(secret);
      const pattern = new RegExp(secrets.sort((a, b) => b.length - a.length).join("|"), "g");
      expect(scrubber.redact(said)).toBe(said.replace(pattern, "[secret]"));
    }),
  );
});
