/** On a Node that is too old, the command reports it: what it reads before that must be readable there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { olderNode } from "../../cli/node-version";
import { root } from "./esign";

const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test.each(["0.12.18", "6.17.1", "18.20.8", "20.9.0", "20.18.0"])("Node %s gets a sentence", (version) => {
  const message = `error: esign needs Node ${engines.node.replace(">=", "")} or newer, and this is ${version}. Install`;
  expect(olderNode(version)).toContain(message);
});

test.each(["20.18.1", "20.19.0", "22.0.0", "100.0.0"])("Node %s does not", (version) => {
  expect(olderNode(version)).toBeUndefined();
});

test.each(["main.ts", "node-version.ts", "automation/main.ts"])("%s has the syntax of ES2017", (name) => {
  const { outputText } = ts.transpileModule(readFileSync(join(root, "cli", name), "utf8"), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, removeComments: true },
  });
  // Compiled for ES2017, it would be the same.
  const older = ts.transpileModule(outputText, {
    compilerOptions: { target: ts.ScriptTarget.ES2017, module: ts.ModuleKind.CommonJS, removeComments: true },
  });
  expect(older.outputText).toBe(outputText);
  expect(/require\("(.*?)"\)/.exec(outputText)?.[1] ?? "/node-version").toMatch(/\/node-version$/);
});
