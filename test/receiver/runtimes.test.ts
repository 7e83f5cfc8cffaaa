/** The table of runtimes in the documentation has what tests try, by version, and says of the rest that it was not run. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { frameworks } from "./frameworks";
import { runtimes } from "./runtimes";

const root = resolve(__dirname, "../..");
const page = readFileSync(resolve(root, "docs/reference/receiver.md"), "utf8");
const { devDependencies } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8"));
const rowsOf = (title: string) =>
  new RegExp(`##+ ${title}\n((?:(?!\n##).)*)`, "s")
    .exec(page)![1]!
    .split("\n")
    .filter((line) => /^\| (?!where)/.test(line));
const rows = rowsOf("Runtimes");
const cures = rowsOf("What acts before the receiver");

/** What is tried every day, with the version that is installed. */
const daily = ["express", "fastify", "@codegenie/serverless-express", "serverless-http", "@azure/functions"].map(
  (name) => ({ name, version: /\d+/.exec(devDependencies[name])![0] }),
);
// Miniflare runs Workers; a controller is another way in the same framework.
const nameOf = (name: string) => (name.includes("Miniflare") ? "Miniflare" : name.replace(/, .*$/, ""));
const tried = [...runtimes, ...frameworks, ...daily].map(({ name, version }) => ({ name: nameOf(name), version }));
const has = (row: string, { name, version }: { name: string; version: string }) =>
  row.toLowerCase().includes(name.split(" with ")[0]!.toLowerCase()) &&
  new RegExp(`\\b${version.replace(".", "\\.")}\\b`).test(row.split("|").at(-2)!);

test.each(tried)("$name $version is in the table", (one) => {
  expect(rows.filter((row) => has(row, one))).not.toEqual([]);
});

test.each(rows.map((row) => [row.split("|")[1]!.trim(), row]))("%s: tried by a test, or not run", (_, row) => {
  const isTried = tried.some((one) => has(row, one)) || /Node 20\.18/.test(row);
  expect(isTried || /\bnot run\b|any other/.test(row)).toBe(true);
});

test.each(frameworks.filter(({ defaults }) => defaults !== undefined))(
  "$name $version: what it does by default, and the line that cures it",
  ({ name, version, defaults }) => {
    const [first] = name.split(/ with |, /);
    const found = cures.filter(
      (row) => row.includes(first!) && (!/ with |, /.test(name) || row.replaceAll("`", "").includes(name)),
    );
    expect(found).not.toEqual([]);
    expect(found.join("\n")).toContain(String(defaults!.form));
    if (/\d/.test(found[0]!.split("|")[1]!)) expect(found[0]!.split("|")[1]).toContain(version);
  },
);
