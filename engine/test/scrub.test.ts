import { expect, test } from "vitest";
import { fc } from "../../test/chance";
import { parsePath } from "../resource/property-path";
import { secret } from "../resource/property-value";
import { SecretFilter } from "../secrets/secret-filter";

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
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "-"), maxLength: 60 });
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), text, (secrets, said) => {
      const scrubber = new SecretFilter();
      for (const secret of secrets) scrubber.addText(secret);
      const pattern = new RegExp(secrets.sort((a, b) => b.length - a.length).join("|"), "g");
      expect(scrubber.redact(said)).toBe(said.replace(pattern, "[secret]"));
    }),
  );
});

/** How programs, protocols and pages write a text of ASCII. */
const units = (text: string, write: (code: number) => string) =>
  [...text].map((one) => write(one.charCodeAt(0))).join("");
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0");
const every = (text: string, size: number, mark: string) =>
  text.replace(new RegExp(`(?<=^(?:.{${size}})+)(?=.)`, "gs"), mark);
const written: Record<string, (text: string) => string> = {
  "in a query": (text) => new URLSearchParams({ q: text }).toString().slice(2),
  "in a path": (text) => `%7E${units(text, (code) => `%${hex(code, 2)}`)}`,
  "in a page": (text) => units(text, (code) => `&#${code};`),
  "in an attribute": (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;"),
  "in ASCII JSON": (text) => units(text, (code) => `\\u${hex(code, 4)}`),
  "in JSON in JSON": (text) => JSON.stringify(JSON.stringify(text)),
  "in hex": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "in credentials": (text) => Buffer.from(`someone:${text}`).toString("base64"),
  "in a token": (text) => Buffer.from(JSON.stringify({ aud: "x", text })).toString("base64url"),
  "in lines": (text) => every(text, 5, "\n  "),
  "in base64 in lines": (text) => every(Buffer.from(text).toString("base64"), 8, "\r\n"),
  "in tags": (text) => every(text.replaceAll("<", "&lt;"), 4, "<wbr>"),
};

test.each(Object.entries(written))("what is secret is hidden where it stands %s", (_, write) => {
  const units = fc.constantFrom(..."abcXYZ0189-_+/=.~!&\"<'%$");
  // Neither an escape nor a mark of its end: no reader distinguishes those.
  const secrets = fc.string({ unit: units, minLength: 14, maxLength: 60 }).filter((one) => !/[&%<=+][\w]*/.test(one));
  fc.assert(
    fc.property(secrets, (text) => {
      const filter = new SecretFilter();
      filter.add({ value: secret(text) });
      const shown = filter.redact(`Said: [${write(text)}] and more`);
      expect(shown).toMatch(/^Said: \[.*\[secret\].*\] and more$/s);
      expect(shown.length).toBeLessThan(75);
    }),
  );
});

test("short texts are hidden as they are, not where words meet or in another case", () => {
  const filter = new SecretFilter();
  filter.add({ value: secret("Firm"), pin: secret("2 4 6") });
  expect(filter.redact("Firm firm FI RM 2 4 6 246 Fi\nrm")).toBe("[secret] firm FI RM [secret] 246 Fi\nrm");
});

test("a secret of several words or lines is hidden however it is wrapped", () => {
  const filter = new SecretFilter();
  const words = "correct horse\nbattery staple";
  filter.add({ value: secret(words) });
  for (const said of [words, words.toUpperCase(), words.replace(/\s/g, "\r\n\t"), words.replace(/\s/g, "&nbsp;")])
    expect(filter.redact(`(${said})`)).toBe("([secret])");
});

test("no text is too odd or too long to be hidden", () => {
  const filter = new SecretFilter();
  const long = "0123456789 ".repeat(50_000);
  for (const text of ["half \ud800 of one", "\0\0\0\0", long]) filter.addText(text);
  for (const text of ["half \ud800 of one", "\0\0\0\0", long]) expect(filter.redact(`(${text})`)).toBe("([secret])");
});

test("words that are secret are hidden as they are, and allowed ones never, whatever else is secret", () => {
  const scrubber = new SecretFilter();
  scrubber.allow({ name: "northwind-traders" }, parsePath("name")!);
  for (const text of ["import", "stage1", "Northwind-Traders"]) scrubber.addText(text);
  expect(scrubber.redact("him portable, STAGE1, a stage 1 rocket, stage1, northwind-traders")).toBe(
    "him portable, STAGE1, a stage 1 rocket, [secret], northwind-traders",
  );
});
