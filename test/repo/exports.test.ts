/**
 * A function or value that a file exports, another file uses: whoever changes one need not look further than its own file otherwise. Types
 * may be exported for the declarations alone, where others are inferred.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import manifest from "../../package.json";

const files = execFileSync("git", ["ls-files", "-z", "*.ts", "*.mts", "*.mjs", "*.cjs"], { encoding: "utf8" })
  .split("\0")
  .filter((file) => existsSync(file));
const text = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
/** Its export has another purpose, which it names. */
const exempt = "provider/pulumi/require-sdk.ts";
const isSource = (file: string) => file !== exempt && !/^(test|engine\/test|examples|templates|docs)\//.test(file);

const declaration = /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|enum) ([\w$]+)/gm;
const entries = Object.values<string | { default: string }>(manifest.exports).map((entry) =>
  (typeof entry === "string" ? entry : entry.default).replace(/^\.\/dist\/(.*)\.js$/, "$1.ts"),
);
/** Published with all that they declare: the package's entries, and what they pass on whole. */
const published = new Set([
  ...entries,
  ...files.flatMap((file) =>
    [...text.get(file)!.matchAll(/^export \* from "(.*)";/gm)].map(([, path]) => `${join(dirname(file), path!)}.ts`),
  ),
]);

it("each exported value is used in another file, or published", () => {
  const users = new Map<string, number>();
  for (const content of text.values())
    for (const word of new Set(content.match(/[\w$]+/g))) users.set(word, (users.get(word) ?? 0) + 1);
  const unused = files
    .filter((file) => isSource(file) && !published.has(file))
    .flatMap((file) => [...text.get(file)!.matchAll(declaration)].map(([, name]) => ({ file, name: name! })))
    .filter(({ name }) => users.get(name) === 1);
  expect(unused.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});
