import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { preloadArguments } from "../../engine/plugin/node-process";

/** The stack that an SDK notes of a promise, and that of an error, in a process with the preload. */
function stacks(sdk: string, env: Record<string, string> = {}): { promise: string; error: string } {
  const script = `
    require("source-map-support/register");
    const { debuggablePromise } = require("${sdk}/runtime/debuggable");
    const promise = Promise.resolve();
    debuggablePromise(promise, "a test");
    console.log(JSON.stringify({ promise: promise._debugStackTrace, error: new Error("boom").stack }));`;
  const output = execFileSync(process.execPath, [...preloadArguments("no-promise-stacks"), "-e", script], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return JSON.parse(output);
}

test.each(["@pulumi/pulumi", "pulumi-oldest", "pulumi-newest"])(
  "%s: stacks of promises are not made, others are",
  (sdk) => {
    const { promise, error } = stacks(sdk);
    expect(promise).not.toContain(" at ");
    expect(error).toMatch(/^Error: boom\n {4}at /);
  },
);

test("whoever looks for leaked promises gets their stacks", () => {
  const { promise } = stacks("@pulumi/pulumi", { PULUMI_DEBUG_PROMISE_LEAKS: "true" });
  expect(promise).toMatch(/^Error:? ?\n {4}at debuggablePromise/);
});

test("modules of the program are loaded as ever: exports that are nothing, members that are not to be read", () => {
  const folder = mkdtempSync(join(tmpdir(), "no-promise-stacks-"));
  const load = ["null", "undefined", `{ get debuggablePromise() { throw new Error("read"); }, fine: true }`].map(
    (exported, i) => {
      const file = join(folder, `${i}.js`);
      writeFileSync(file, `module.exports = ${exported};`);
      return `String(require(${JSON.stringify(file)})?.fine)`;
    },
  );
  const script = `console.log([${load}].join())`;
  const output = execFileSync(process.execPath, [...preloadArguments("no-promise-stacks"), "-e", script], {
    encoding: "utf8",
  });
  expect(output).toBe("undefined,undefined,true\n");
});
