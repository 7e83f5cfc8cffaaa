/** `npm run build` in a checkout of one room, with a compiler that compiles nothing. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { run } from "../cli/esign";

const checkout = mkdtempSync(join(tmpdir(), "esign-checkout-"));
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

test("a clean build leaves the former files in place until the new ones are complete", async () => {
  const place = mkdtempSync(join(tmpdir(), "esign-checkout-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  for (const folder of ["tools", "sdk", "dist/sdk", "node_modules/typescript-7/bin"])
    mkdirSync(join(place, folder), { recursive: true });
  cpSync(resolve(__dirname, "../../tools/prepare.mjs"), join(place, "tools/prepare.mjs"));
  writeFileSync(join(place, "tsconfig.build.json"), '{ "include": ["sdk"] }');
  writeFileSync(join(place, "sdk/source.ts"), "");
  writeFileSync(join(place, "dist/sdk/source.js"), "former");
  writeFileSync(join(place, "dist/stale.js"), "");
  // Both write where they are asked to, and see what a running command would find.
  const look = `fs.appendFileSync("seen", fs.readFileSync("dist/sdk/source.js", "utf8") + " ");`;
  const compiler = `const fs = require("fs"); ${look}
    const at = (name) => process.argv[process.argv.indexOf(name) + 1];
    for (const [folder, ending] of [[at("--outDir"), ".js"], [at("--declarationDir"), ".d.ts"]]) {
      fs.mkdirSync(folder + "/sdk", { recursive: true });
      fs.writeFileSync(folder + "/sdk/source" + ending, "");
    }`;
  writeFileSync(join(place, "node_modules/typescript-7/bin/tsc"), compiler);
  const bundler = `import fs from "node:fs"; ${look}
    fs.mkdirSync(process.argv[2] + "/sdk", { recursive: true });
    fs.writeFileSync(process.argv[2] + "/sdk/source.js", "new");`;
  writeFileSync(join(place, "tools/bundle.mjs"), bundler);
  const code = 'await (await import("./tools/prepare.mjs")).build({ clean: true })';
  const { stderr } = await run(process.execPath, ["--input-type=module", "-e", code], { home: place });
  expect(stderr).toContain("Bundling");
  expect(readFileSync(join(place, "seen"), "utf8")).toBe("former former ");
  expect(readFileSync(join(place, "dist/sdk/source.js"), "utf8")).toBe("new");
  expect(readdirSync(join(place, "dist")).sort()).toEqual([".built", ".modules", "sdk"]);
  expect(readdirSync(join(place, "node_modules/.cache"))).toEqual([]);
});

test("what is edited, while the compiler runs, too, is compiled the next time, and once only", async () => {
  for (const folder of ["tools", "sdk", "dist/.modules", "node_modules/typescript-7/bin"])
    mkdirSync(join(checkout, folder), { recursive: true });
  cpSync(resolve(__dirname, "../../tools/prepare.mjs"), join(checkout, "tools/prepare.mjs"));
  writeFileSync(join(checkout, "tools/bundle.mjs"), "");
  writeFileSync(join(checkout, "tsconfig.build.json"), '{ "include": ["sdk"] }');
  writeFileSync(join(checkout, "sdk/source.ts"), "");
  writeFileSync(join(checkout, "compiled"), "");
  // It ends when the source has been edited.
  const compiler = `const fs = require("fs");
    fs.appendFileSync("compiled", "once ");
    const wait = () => fs.readFileSync("sdk/source.ts", "utf8") === "" && setTimeout(wait, 20);
    wait();`;
  writeFileSync(join(checkout, "node_modules/typescript-7/bin/tsc"), compiler);
  const compiled = () => readFileSync(join(checkout, "compiled"), "utf8");
  const build = () =>
    run(process.execPath, ["--input-type=module", "-e", 'await (await import("./tools/prepare.mjs")).build()'], {
      home: checkout,
    });
  const first = build();
  while (compiled() === "") await wait(20);
  writeFileSync(join(checkout, "sdk/source.ts"), "// edited");
  await first;
  await build();
  expect(compiled()).toBe("once once ");
  await build();
  expect(compiled()).toBe("once once ");

  // So is what says how it is bundled, and with which packages.
  for (const name of ["package-lock.json", "tools/bundle.mjs", "tools/bundled-packages.json"]) {
    rmSync(join(checkout, "compiled"));
    writeFileSync(join(checkout, name), "");
    await build();
    expect(compiled(), name).toBe("once ");
  }

  // What has no source any more goes with the next build.
  const left = ["source.d.ts", "moved.d.ts", "source/moved.d.ts", "notes.json"];
  const compiledModules = ["source.js", "moved.js", "source/moved.js"];
  for (const [folder, names] of [
    ["dist/sdk", left],
    ["dist/.modules/sdk", compiledModules],
  ] as const) {
    mkdirSync(join(checkout, folder, "source"), { recursive: true });
    for (const name of names) writeFileSync(join(checkout, folder, name), "");
  }
  rmSync(join(checkout, "dist/.built"));
  await build();
  const filesIn = (folder: string) => readdirSync(join(checkout, folder), { recursive: true }).sort();
  expect(filesIn("dist/sdk")).toEqual(["notes.json", "source", "source.d.ts"]);
  expect(filesIn("dist/.modules/sdk")).toEqual(["source", "source.js"]);
});
