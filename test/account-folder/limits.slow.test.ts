/** Content made to take long or to exhaust memory: it is read, or refused with a clear error. */

import { describe, expect, test } from "vitest";
import { loadFolder } from "../../account-folder/folder/load-folder";
import { parseValues } from "../../account-folder/folder/values-file";
import { htmlToText } from "../../account-folder/text/html/to-text";
import { emailTexts } from "../../definitions/branding-email";
import { lintFolder } from "../../rules/lint/lint-folder";
import { times } from "../chance";
import { body, check, longContents, numbered } from "./long-contents";

test.each(longContents)("%s: read, however many there are", (_, size, work) => {
  expect(() => work((times > 1 ? 8 : 2) * size)).not.toThrow();
});

describe("beyond a limit there is a clear error", () => {
  test("200,000 attributes of one tag", () => {
    const body = `<p ${numbered(200_000, (i) => `a${i}="1" `)}>x</p>`;
    expect(() => check({ "emails/email-send/body.html": body, "emails/email-send/body.txt": "x" })).toThrow(
      "emails/email-send/body.html: The HTML cannot be read: a tag has more than 1000 attributes.",
    );
  });

  test.each(["div", "font", "b", "ul><li", "table><tr><td"])("20,000 levels of <%s>", (tag) => {
    expect(() => check({ "emails/email-send/body.html": `<${tag}>`.repeat(20_000) })).toThrow(
      "emails/email-send/body.html: The HTML cannot be read: its elements are nested more than 500 levels deep.",
    );
    expect(htmlToText(`${`<${tag}>`.repeat(100)}x`)).toContain("x");
  });

  test("partials that double with each level, and a chain of thousands", () => {
    const partials = (count: number, text: (i: number) => string) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`partials/p${i}.txt`, text(i)]));
    const rules = (files: Record<string, string>) =>
      body("${include p0}", { "partials/p29.txt": "x", ...files }).map(({ rule }) => rule);
    const chain = (count: number) => partials(count, (i) => `\${include p${i + 1}}`);
    expect(rules(partials(29, (i) => `\${include p${i + 1}}`.repeat(2)))).toContain("too-many-partials");
    expect(rules(chain(5000))).toContain("too-many-partials");
    // Thirty levels are fine.
    expect(rules(chain(29))).not.toContain("too-many-partials");
  });

  test.each([
    ["brackets", `a: ${"[".repeat(20_000)}`],
    ["JSON", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`],
    ["dashes", `${"- ".repeat(20_000)}a`],
    ["indentation", numbered(2000, (i) => `${" ".repeat(i)}a:\n`)],
  ])("settings and values that are nested: %s", (_, text) => {
    const [finding] = check({ "account.yaml": text });
    expect(finding).toMatchObject({
      rule: "settings",
      message: "invalid YAML: it is nested more than 100 levels deep",
    });
    expect(() => parseValues("values.yaml", text)).toThrow(/nested more than 100 levels deep/);
  });
});

test("an email template, an element, a rule or a colour may have the name of a member of every object", () => {
  const names = ["constructor", "__proto__", "toString", "hasOwnProperty"];
  // A tag begins with a letter.
  const html = (name: string) => {
    const tag = name.replace("__proto__", "p");
    return `<${tag} style="color: ${name}" ${name}="x">{contract title}</${tag}>`;
  };
  const files = Object.fromEntries(
    names.flatMap((name) => [
      [`emails/${name}/subject.txt`, "Sign"],
      [`emails/${name}/body.html`, html(name)],
      [`emails/${name}/body.txt`, "{contract title}"],
    ]),
  );
  const loaded = loadFolder("account", {
    allowUnknownValues: true,
    texts: new Map([...Object.entries(files), ["account.yaml", "lint: { requiredVariables: { email-send: [x] } }"]]),
  });
  const emails = emailTexts(loaded.account.model);
  expect(Object.keys(emails).sort()).toEqual(names.sort());
  expect(emails.constructor).toEqual({
    subject: "Sign",
    content: expect.stringContaining("<constructor"),
    contentPlain: "{contract title}",
  });
  expect(htmlToText("<constructor>x</constructor>")).toBe("x");
  expect(
    lintFolder(loaded, { allowUnknownValues: true, present: loaded.account.model }).map(({ rule }) => rule),
  ).toEqual([]);
  const [finding] = check({ "account.yaml": "lint: { off: { constructor: true } }" });
  expect(finding!.message).toContain('unknown rule "constructor"');
});

test("a key that occurs twice is an error at its second place", () => {
  const findings = check({ "account.yaml": "branding:\n  colour: '#1A5FB4'\n  colour: '#000000'\n" });
  expect(findings).toMatchObject([
    { rule: "settings", line: 3, message: 'invalid YAML: the key "colour" occurs twice' },
  ]);
});
