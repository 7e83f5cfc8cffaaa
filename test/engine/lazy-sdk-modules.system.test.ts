/** What the SDK loads only when it is used: nothing of it is missing. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { preloadArguments } from "../../engine/plugin/node-process";

/** What the script logs in a process that the engine could have started. */
function inProgram(sdk: string, script: string) {
  const folder = dirname(realpathSync(require.resolve(`${sdk}/package.json`)));
  const file = join(mkdtempSync(join(tmpdir(), "engine-lazy-")), "script.cjs");
  // The SDK's own command would ask for its arguments.
  writeFileSync(file, `const sdk = ${JSON.stringify(folder)};\n${script}\nprocess.exit(0);`);
  const args = [...preloadArguments("lazy-sdk-modules"), "-r", file, join(folder, "cmd/run")];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
}

test.each(["@pulumi/pulumi", "pulumi-oldest", "pulumi-newest"])("%s: tracing and the automation API", (sdk) => {
  const seen = inProgram(
    sdk,
    `const isLoaded = (part) => Object.values(require.cache).some((module) => module.loaded && module.id.includes(part) && module.children.length > 0);
     const pulumi = require(sdk);
     const tracing = require(sdk + "/cmd/run/tracing.js");
     const span = tracing.newSpan("a test");
     for (const call of ["setAttribute", "addEvent", "end"]) span[call]("a", "b");
     const before = [isLoaded("automation/localWorkspace"), isLoaded("exporter-zipkin")];
     const automation = require(sdk + "/automation");
     const copy = {};
     for (const name in automation) copy[name] = automation[name];
     class Mine extends pulumi.automation.Stack {}
     console.log(JSON.stringify({
       before,
       members: ["LocalWorkspace", "Stack", "fullyQualifiedStackName"].map((name) => [name in automation, typeof pulumi.automation[name], typeof copy[name]]),
       extended: Object.getPrototypeOf(Mine) === automation.Stack,
       tracing: typeof tracing.start,
       after: isLoaded("automation/localWorkspace"),
     }));`,
  );
  expect(seen).toEqual({
    before: [false, false],
    members: Array(3).fill([true, "function", "function"]),
    extended: true,
    tracing: "function",
    after: true,
  });
});
