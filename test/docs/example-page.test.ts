/** Examples in every language: without the host of a language, its block is the one that the page has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
// @ts-expect-error a script without types
import { examplePage } from "../../tools/example-page.mjs";

const file = "registry/examples/Thing.md";
const languages = ["typescript", "java", "go"];
const yaml = "resources:\n  thing: {}";
const code = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`;
const former = [
  code("typescript", "old();\n\n// not ```java\nold();"),
  code("java", "class Old {\n}"),
  code("go", "package old"),
  code("yaml", "resources: {}"),
].join("\n");
const without =
  (...missing: string[]) =>
  (_: string, language: string) =>
    missing.includes(language) ? undefined : `new ${language}`;

it("replaces the blocks of all languages, and the YAML", () => {
  expect(examplePage({ file, yaml, former, languages }, without())).toEqual({
    text: [...languages.map((language) => code(language, `new ${language}`)), code("yaml", yaml)].join("\n"),
    kept: [],
  });
});

it.each([
  ["typescript", "old();\n\n// not ```java\nold();"],
  ["java", "class Old {\n}"],
  ["go", "package old"],
])("keeps the block of %s to the byte while its host is missing", (missing, text) => {
  const blocks = languages.map((language) => code(language, language === missing ? text : `new ${language}`));
  expect(examplePage({ file, yaml, former, languages }, without(missing))).toEqual({
    text: [...blocks, code("yaml", yaml)].join("\n"),
    kept: [missing],
  });
});

it.each([
  ["a new page", ""],
  ["a page without the language", code("javascript", "old();")],
  ["a block without an end", "```java\nclass Old {"],
])("refuses %s while the host is missing", (_, page) => {
  expect(() => examplePage({ file, yaml, former: page, languages }, without("java"))).toThrow(
    "registry/examples/Thing.md has no java, and the language host of it is missing",
  );
});

it("leaves the examples of this repository as they are while all hosts are missing", () => {
  for (const name of ["Webhook", "Company", "AccountConfig"]) {
    const path = join(__dirname, "../../registry/examples", name);
    const page = readFileSync(`${path}.md`, "utf8");
    const all = ["typescript", "python", "go", "csharp", "java"];
    const source = readFileSync(`${path}.yaml`, "utf8").trim();
    const result = examplePage({ file, yaml: source, former: page, languages: all }, () => undefined);
    expect(result).toEqual({ text: page, kept: all });
  }
});
