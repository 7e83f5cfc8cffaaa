/** `npm run build` in a house of one room, with a compiler that compiles nothing. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { run } from "../cli/esign";

const house = mkdtempSync(join(tmpdir(), "esign-house-"));
afterAll(() => rmSync(house, { recursive: true, force: true }));

test("what is edited while the compiler runs is compiled the next time, and once only", async () => {
  for (const folder of ["scripts", "sdk", "dist/.modules", "node_modules/typescript/bin"])
    mkdirSync(join(house, folder), { recursive: true });
  cpSync(resolve(__dirname, "../../scripts/house.mjs"), join(house, "scripts/house.mjs"));
  writeFileSync(join(house, "scripts/bundle.mjs"), "");
  writeFileSync(join(house, "tsconfig.build.json"), '{ "include": ["sdk"] }');
  writeFileSync(join(house, "sdk/source.ts"), "");
  writeFileSync(join(house, "compiled"), "");
  // It ends when the source has been edited.
  const compiler = `const fs = require("fs");
    fs.appendFileSync("compiled", "once ");
    const wait = () => fs.readFileSync("sdk/source.ts", "utf8") === "" && setTimeout(wait, 20);
    wait();`;
  writeFileSync(join(house, "node_modules/typescript/bin/tsc"), compiler);
  const compiled = () => readFileSync(join(house, "compiled"), "utf8");
  const build = () =>
    run(process.execPath, ["--input-type=module", "-e", 'await (await import("./scripts/house.mjs")).build()'], {
      home: house,
    });
  const first = build();
  while (compiled() === "") await wait(20);
  writeFileSync(join(house, "sdk/source.ts"), "// edited");
  await first;
  await build();
  expect(compiled()).toBe("once once ");
  await build();
  expect(compiled()).toBe("once once ");

  // What has no source any more goes with the next build.
  const left = ["source.d.ts", "moved.d.ts", "source/moved.d.ts", "notes.json"];
  const compiledModules = ["source.js", "moved.js", "source/moved.js"];
  for (const [folder, names] of [
    ["dist/sdk", left],
    ["dist/.modules/sdk", compiledModules],
  ] as const) {
    mkdirSync(join(house, folder, "source"), { recursive: true });
    for (const name of names) writeFileSync(join(house, folder, name), "");
  }
  rmSync(join(house, "dist/.built"));
  await build();
  const filesIn = (folder: string) => readdirSync(join(house, folder), { recursive: true }).sort();
  expect(filesIn("dist/sdk")).toEqual(["notes.json", "source", "source.d.ts"]);
  expect(filesIn("dist/.modules/sdk")).toEqual(["source", "source.js"]);
});
