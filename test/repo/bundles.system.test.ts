/** What is published loads only modules that each supported Node has: bundlers of users load all of them at the start. */
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
