/** What is said of a language or an import is true of a form or an engine: each sentence that limits names which. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(__dirname, "../..");
const pages = [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.startsWith("."))
    .map((name) => join("docs", name)),
];

const limit = /\b(only|alone|cannot|no|not|refused|rejected)\b/i;
const subject =
  /pulumi import|option `import`|`replaceOnChanges`|\b(TypeScript|JavaScript|other languages?|any language|every language|(programs|written) (in|for) (Node|Python|Go|YAML)|Node programs?)\b/i;
const form = /\b(dynamic|plugin|built-in engine|CLI|both forms|generated|client|receiver|loader)\b|`pulumi-esign`/i;

/** The sentences of a page; a row of a table has the heads of its columns. */
function sentencesOf(page: string): string[] {
  const text = page.replace(/^ *```[\s\S]*?^ *```$/gm, "").replace(/<!-- generated[\s\S]*?<!-- end -->/g, "");
  return text.split(/\n{2,}/).flatMap((block) => {
    const lines = block.split("\n");
    if (lines[0]!.startsWith("|")) return lines.slice(2).map((row) => `${lines[0]} ${row}`);
    return block.replace(/\n(?!- )/g, " ").split(/\n|(?<=[.:;])\s+(?=[A-Z`*[])/);
  });
}

const vague = (sentence: string) => limit.test(sentence) && subject.test(sentence) && !form.test(sentence);

it("a sentence that limits a language or an import names the form or the engine of which it is true", () => {
  const wrong = pages.flatMap((page) =>
    sentencesOf(readFileSync(join(root, page), "utf8"))
      .filter(vague)
      .map((sentence) => `${page}: ${sentence.trim()}`),
  );
  expect(wrong).toEqual([]);
  const limited = pages.flatMap((page) =>
    sentencesOf(readFileSync(join(root, page), "utf8")).filter(
      (sentence) => limit.test(sentence) && subject.test(sentence),
    ),
  );
  expect(limited.length).toBeGreaterThan(5);
});

it.each([
  ["`pulumi import <type> <name> <id>` and the option `import` do not work: the engine passes too little.", true],
  ["`pulumi import` does not work with dynamic resources.", false],
  ["Programs in Python cannot use it.", true],
  ["Programs in Python cannot run on the built-in engine.", false],
  ["TypeScript only.", true],
  ["The webhook is rejected.", false],
])("%s", (sentence, isVague) => {
  expect(sentencesOf(`# Page\n\n${sentence}\n`).some(vague)).toBe(isVague);
});

it("a row of a table is of the form in the head of its column", () => {
  const row = "| `replaceOnChanges` | cannot have an effect | works |";
  expect(sentencesOf(`| | dynamic resources | plugin |\n|---|---|---|\n${row}`).some(vague)).toBe(false);
  expect(sentencesOf(`| option | effect | |\n|---|---|---|\n${row}`).some(vague)).toBe(true);
});
