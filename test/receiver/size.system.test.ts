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

/** The size of the code without comments and white space: of its tokens. A scanner alone takes what follows a template for text. */
function sizeOf(code: string): number {
  const file = ts.createSourceFile("code.js", code, ts.ScriptTarget.ES2023, true, ts.ScriptKind.JS);
  const of = (node: ts.Node): number => {
    const children = node
      .getChildren(file)
      .filter(({ kind }) => kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode);
    return children.length > 0
      ? children.reduce((sum, child) => sum + of(child), 0)
      : Buffer.byteLength(node.getText(file));
  };
  return of(file);
}

test("it loads Node's modules only, and little code: below 35 kB without comments and white space", () => {
  const { files, packages } = load(join(dist, "receiver/index.js"));
  expect([...packages].filter((name) => !name.startsWith("node:"))).toEqual([]);
  expect([...files.values()].reduce((sum, code) => sum + sizeOf(code), 0)).toBeLessThan(35_000);
});
