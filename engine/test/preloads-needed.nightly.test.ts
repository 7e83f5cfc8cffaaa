/**
 * Why each preload that replaces a part of Pulumi's SDK is there: what the oldest supported SDK does without it. Such a test fails when
 * that is no longer so, and its message says what can be deleted.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/files";

const sdk = dirname(require.resolve("pulumi-oldest/package.json"));
const { version } = require("pulumi-oldest/package.json") as { version: string };
const preload = (name: string, member: string) =>
  `@pulumi/pulumi ${version} no longer does this, and it is the oldest that is supported: delete ${member} from engine/plugin/preload/${name}.ts`;

/** What a process of the SDK has loaded, and what it did. */
interface Observed {
  files: string[];
  colouredErrors: number;
  promiseStack: string;
  debugMessages: number;
  /** Source maps of the SDK's files that were read. */
  maps: number;
}

/** Reports, when the process ends, what has been loaded of the SDK and its packages. */
const observer = `
  const util = require("node:util");
  const { inspect } = util;
  let colouredErrors = 0;
  util.inspect = Object.assign((value, options, ...rest) => {
    if (value instanceof Error && options?.colors === true) colouredErrors++;
    return inspect(value, options, ...rest);
  }, inspect);
  const sdk = ${JSON.stringify(sdk)};
  let maps = 0;
  const fs = require("node:fs");
  const { readFileSync } = fs;
  fs.readFileSync = (file, ...rest) => {
    if (String(file).startsWith(sdk) && String(file).endsWith(".js.map")) maps++;
    return readFileSync(file, ...rest);
  };
  const report = () => {
    const promise = Promise.resolve();
    require(sdk + "/runtime/debuggable").debuggablePromise(promise, "a test");
    let debugMessages = 0;
    require(sdk + "/runtime/settings").getEngine = () => debugMessages++;
    require(sdk + "/log").debug("a test");
    const observed = { files: Object.keys(require.cache), colouredErrors, promiseStack: promise._debugStackTrace, debugMessages, maps };
    require("node:fs").writeFileSync(process.env.OBSERVED, JSON.stringify(observed));
  };
  process.on("exit", report);`;

function observe(args: string[], script = ""): Observed {
  const folder = temporaryFolder({
    "observer.cjs": `${observer}\n${script}`,
    "index.js": "",
    "package.json": '{ "main": "index.js" }',
  });
  const observed = join(folder, "observed.json");
  const env = { ...process.env, OBSERVED: observed };
  spawnSync(process.execPath, ["-r", join(folder, "observer.cjs"), ...args], { cwd: folder, env, timeout: 60_000 });
  return JSON.parse(readFileSync(observed, "utf8"));
}

describe(`without its preloads, the SDK ${version}`, () => {
  let library: Observed;
  let program: Observed;
  let host: Observed;
  beforeAll(() => {
    library = observe(["-e", `require(${JSON.stringify(sdk)})`]);
    // There is no engine to talk to, which is an error that it reports.
    const nowhere = ["--monitor=127.0.0.1:1", "--engine=127.0.0.1:1", "--project=p", "--stack=s", "--pwd=.", "."];
    program = observe([join(sdk, "cmd/run"), ...nowhere]);
    host = observe([join(sdk, "cmd/dynamic-provider"), "127.0.0.1:1"], "console.log = () => process.exit(0);");
  });

  test.each([
    ["a compiler", "typescript-shim.js", "/typescript/lib/typescript.js"],
    ["a package manager", "runtime/closure/codePaths.js", "/@npmcli/arborist/"],
    ["the Automation API", "automation/index.js", "/automation/localWorkspace.js"],
  ])("loads %s with itself (%s)", (_, file, evidence) => {
    const isLoaded = library.files.some((name) => name.includes(evidence));
    expect(isLoaded, preload("lazy-sdk-modules", `standIn("${file}")`)).toBe(true);
  });

  test.each([
    ["a tracer", "cmd/run/tracing.js", "/exporter-zipkin/"],
    ["the debugger", "runtime/closure/v8Hooks.js", "/runtime/closure/v8Hooks.js"],
  ])("loads %s for each program (%s)", (_, file, evidence) => {
    const isLoaded = program.files.some((name) => name.includes(evidence));
    expect(isLoaded, preload("lazy-sdk-modules", `standIn("${file}")`)).toBe(true);
  });

  test("loads in the host of providers what runs programs", () => {
    const isLoaded = host.files.includes(join(sdk, "runtime/resource.js"));
    expect(isLoaded, preload("lazy-sdk-modules", "the part for dynamic-provider")).toBe(true);
  });

  test("sends debug messages to the engine", () => {
    expect(library.debugMessages, preload("lazy-sdk-modules", 'standIn("log/index.js")')).toBe(1);
  });

  test("reads the source maps of its own files", () => {
    expect(program.maps, preload("lazy-sdk-modules", "the part for source-map-support")).toBeGreaterThan(0);
  });

  test("notes the stack of each promise", () => {
    expect(library.promiseStack, preload("no-promise-stacks", "everything: the file goes")).toContain(" at ");
  });

  test("reports an error in colours", () => {
    const message = preload("no-inspect-colours", "everything: the file goes");
    expect(program.colouredErrors, message).toBeGreaterThan(0);
  });
});

const oldestNode = /\d+/.exec(require("../../package.json").engines.node)![0];

test.runIf(process.versions.node.startsWith(`${oldestNode}.`))(
  "the oldest supported Node does not come to an end with the colours of an error whose stack ends with the name of a package",
  () => {
    const script = `const error = new Error("x");
      error.stack = "Error: x\\n    at f (/node_modules/a)";
      require("node:util").inspect(error, { colors: true });`;
    const { signal } = spawnSync(process.execPath, ["-e", script], { timeout: 2000, killSignal: "SIGKILL" });
    const message = `Node ${oldestNode} comes to an end: delete engine/plugin/preload/no-inspect-colours.ts`;
    expect(signal, message).toBe("SIGKILL");
  },
);
