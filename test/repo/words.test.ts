/** House style, as far as a search can check it: the words that CONTRIBUTING.md bans, in everything a reader meets, tests too. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type ts from "typescript";
import { expect, it } from "vitest";

const root = resolve(__dirname, "../..");

/** Each banned phrase, and what to write instead. */
const banned: [phrase: RegExp, instead: string][] = [
  [/\b(nobody|somebody)\b/i, "the passive, “outside Pulumi”, “unmanaged”"],
  [/\b(taken|takes?|taking|took) over\b/i, "adopt"],
  [/\bwhat was there\b/i, "the original value"],
  [/\b(stays?|left|leaves?) as (it is|they are)\b|\bwhat is there\b/i, "unchanged, current"],
  [/\b(put|puts|putting|take|takes|taken) (it |them |everything |all )?back\b/i, "restore, revert"],
  [/\banew\b/i, "again, recreate"],
  [/\bunder way\b/i, "in progress, open"],
  [/\bcarr(y|ies|ied) (it |this |them )?out\b/i, "apply, complete"],
  [/\bsays so\b|\bin words\b|\bnotations?\b/i, "delete it, explicitly, format"],
  [/(?<!\bthere )\bis none\b|\bstands? for\b|\bstand in for\b/i, "is not a …, represents"],
  [/\be-mails?\b/i, "email, email template"],
  [/\bsub[ -]accounts?\b/i, "subaccount"],
  [/\b(mend|mended|mends|way out|on the spot|slip of the pen|twins?|hearers?|kin)\b/i, "the standard word"],
  [/\b(is|was|are|were|as) told\b/i, "returned, declared, reported"],
  [/\bwire (name|form)s?\b/i, "API field name"],
  [/§/, "a link to the API's page, or nothing"],
];

const rooms: string[] = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8")).include;
/** What is in other files of fixtures, programs and recordings of them, is data. */
const pages = /\.(ts|mts|mjs|cjs|md|yml)$/;

const filesOf = (place: string): string[] =>
  readdirSync(join(root, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pages.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((file) => !file.includes("node_modules/") && file !== "test/repo/words.test.ts");

const files = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...[...rooms, "docs", "decisions", "examples", "registry", "tools", "test"].flatMap(filesOf),
];
const textOf = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));

it.each(banned)("no text says %s (write: %s)", (phrase) => {
  expect(files.length).toBeGreaterThan(300);
  const wrong = files.flatMap((file) => {
    const text = textOf.get(file)!;
    if (!phrase.test(text)) return [];
    return text
      .split("\n")
      .flatMap((line, at) => (phrase.test(line) ? [`${file}:${at + 1}: ${line.trim().slice(0, 160)}`] : []));
  });
  expect(wrong).toEqual([]);
});

/** Names that say that something was passed, not what it is. */
const vague = /^#?(given|known|told)$/;
/** Where one may be declared: a search finds it sooner than the compiler has parsed all files. */
const maybeVague =
  /([({,#[]|\b(const|let|var|function|class|type|interface|enum|readonly|static|async|get|set)\s|\.\.\.|^)\s*\b(given|known|told)\b[?!]?\s*([\]=,;:(){}<]|$)/m;

it("no declaration is named given, known or told (write: what the value is)", async () => {
  const suspects = files.filter((file) => /\.m?ts$/.test(file) && maybeVague.test(textOf.get(file)!));
  if (suspects.length === 0) return;
  const { default: ts } = await import("typescript");
  const wrong = suspects.flatMap((file) => {
    const source = ts.createSourceFile(file, textOf.get(file)!, ts.ScriptTarget.Latest, true);
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      const { name } = node as { name?: ts.Node };
      const isDeclared = ts.isDeclarationStatement(node) || ts.isVariableDeclaration(node) || ts.isParameter(node);
      if (
        (isDeclared || ts.isBindingElement(node) || ts.isPropertySignature(node) || ts.isClassElement(node)) &&
        name &&
        (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))
      ) {
        const at = source.getLineAndCharacterOfPosition(name.getStart()).line + 1;
        if (vague.test(name.text)) found.push(`${file}:${at}: ${name.text}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
  expect(wrong).toEqual([]);
});

/** A key in a `private` member is printed by `console.log` and by `JSON.stringify`; one in a `#member` never is. */
it("no member is private by the keyword (write: #name)", () => {
  const keyword = /^\s*(constructor\()?private (?!constructor)/;
  const wrong = files.flatMap((file) =>
    textOf
      .get(file)!
      .split("\n")
      .flatMap((line, at) => (/\.m?ts$/.test(file) && keyword.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(wrong).toEqual([]);
});
