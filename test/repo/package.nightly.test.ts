/** The installed package with the types of others and with an older template, and what a clone makes of itself: package.system.test.ts has the rest. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, expect, it } from "vitest";
import { dependencies } from "../../package.json";
import { run } from "../cli/esign";
import { archived, expectArchive, installPacked } from "../cli/packed";
import { temporaryFolder } from "../files";
import { compile, messages, older, program, today } from "./typed-programs";

const home = temporaryFolder();
let installed: string;
beforeAll(async () => {
  installed = await installPacked(home, [...Object.keys(dependencies), "@pulumi/pulumi", "@types/node", "typescript"]);
});

it("its types are right in a project of the older template", () => {
  expect(messages(ts.getPreEmitDiagnostics(compile(home, { "older.ts": program }, older)))).toEqual([]);
});

// They change with the lock file only.
it("the types of its dependencies suit today's template, which checks those of packages, too", () => {
  const types = compile(home, { "today.ts": program }, today);
  const files = types.getSourceFiles().filter(({ fileName }) => fileName.includes("/node_modules/zod/"));
  expect(files.length).toBeGreaterThan(10);
  expect(messages(files.flatMap((file) => [...types.getSemanticDiagnostics(file)]))).toEqual([]);
});

it("a clone in which nothing is installed, that no registry has: a project gets its archive by init", async () => {
  const clone = join(temporaryFolder(), "clone");
  cpSync(installed, clone, { recursive: true });
  const args = [join(clone, "dist/cli/main.js"), "init", "begun", "--no-install"];
  const { code, stderr } = await run(process.execPath, args, { home });
  expect([code, stderr]).toEqual([0, expect.stringContaining(archived)]);
  await expectArchive(join(home, "begun"));
});
