/** Sizes beyond which something is in the wrong place. They are no goal: CONTRIBUTING.md says when to split. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const FILES_PER_FOLDER = 30;
const LINES_PER_FILE = 500;
const LINES_PER_FUNCTION = 100;

const root = resolve(__dirname, "../..");
const rooms: string[] = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8")).include;
const entries = rooms.flatMap((room) => readdirSync(join(root, room), { recursive: true, withFileTypes: true }));
const files = entries
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => !relative(root, file).startsWith(join("engine", "test")));
const sources = files
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

it(`no folder has more than ${FILES_PER_FOLDER} files`, () => {
  expect(sources.length).toBeGreaterThan(300);
  const counts = new Map<string, number>();
  for (const file of files) counts.set(join(file, ".."), (counts.get(join(file, "..")) ?? 0) + 1);
  const wrong = [...counts].filter(([, count]) => count > FILES_PER_FOLDER);
  expect(wrong.map(([folder, count]) => `${relative(root, folder)}: ${count}`)).toEqual([]);
});

it(`no file has more than ${LINES_PER_FILE} lines`, () => {
  const wrong = sources.flatMap(({ file, text }) => {
    const lines = text.split("\n").length - 1;
    return lines > LINES_PER_FILE ? [`${relative(root, file)}: ${lines}`] : [];
  });
  expect(wrong).toEqual([]);
});

it(`no function has more than ${LINES_PER_FUNCTION} lines`, () => {
  const wrong: string[] = [];
  for (const { file, text } of sources) {
    // Nothing in a shorter file is longer.
    if (text.split("\n").length <= LINES_PER_FUNCTION) continue;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
        const [first, last] = [lineOf(node.getStart()), lineOf(node.end)];
        if (last - first >= LINES_PER_FUNCTION) wrong.push(`${relative(root, file)}:${first}: ${last - first + 1}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  expect(wrong).toEqual([]);
});
