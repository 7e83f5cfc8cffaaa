/** What `require("pulumi-esign/receiver")` loads, in the built package. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const dist = resolve(__dirname, "../../dist");

/** Every file that is loaded, and every package. */
function load(file: string, files = new Map<string, string>(), packages = new Set<string>()) {
  if (files.has(file)) return { files, packages };
  const code = readFileSync(file, "utf8");
  files.set(file, code);
  for (const [, name] of code.matchAll(/\brequire\("([^"]+)"\)/g)) {
    if (name!.startsWith(".")) load(createRequire(file).resolve(name!), files, packages);
    else packages.add(name!);
  }
  return { files, packages };
}

/** The size of the code without comments and white space. */
function sizeOf(code: string): number {
  const scanner = ts.createScanner(ts.ScriptTarget.ES2023, true, ts.LanguageVariant.Standard, code);
  let size = 0;
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) size += Buffer.byteLength(scanner.getTokenText());
  return size;
}

test("it loads Node's modules only, and little code: below 35 kB without comments and white space", () => {
  const { files, packages } = load(join(dist, "receiver/index.js"));
  expect([...packages].filter((name) => !name.startsWith("node:"))).toEqual([]);
  expect([...files.values()].reduce((sum, code) => sum + sizeOf(code), 0)).toBeLessThan(35_000);
});
