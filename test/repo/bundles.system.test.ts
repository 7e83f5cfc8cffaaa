/** The built files load what each supported Node has, since bundlers of users load all of them at the start; the plugin loads what is in its folder. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../cli/esign";

/** Modules that came after the oldest supported Node. */
const later = ["node:sqlite", "node:ffi", "node:quic", "node:vfs"];

test("no file asks for a module that came later", () => {
  const files = readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.m?js$/.test(name),
  );
  expect(files.length).toBeGreaterThan(20);
  const asking = files.filter((name) => {
    const text = readFileSync(join(root, "dist", name), "utf8");
    return later.some((module) => new RegExp(`require\\(\\s*["']${module}["']|from\\s*["']${module}["']`).test(text));
  });
  expect(asking).toEqual([]);
});

/** The files that a bundle loads, itself included: the bundler decides what they share. */
function loadedFrom(folder: string, file: string, found: string[] = []): string[] {
  if (found.includes(file)) return found;
  found.push(file);
  const text = readFileSync(join(folder, file), "utf8");
  for (const [, name] of text.matchAll(/^(?!\s*\*).*\brequire\("\.\/([\w-]+\.js)"\)/gm))
    loadedFrom(folder, name!, found);
  return found;
}

test("the folder of the plugin has what it loads and what starts it, and nothing else", () => {
  const folder = join(root, "dist/plugin/bin");
  const bundles = loadedFrom(folder, "index.js");
  expect(bundles).toContain("construct.js");
  expect(readdirSync(folder).sort()).toEqual([...bundles, "pulumi-resource-esign", "pulumi-resource-esign.cmd"].sort());
});
