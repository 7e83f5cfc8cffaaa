/** The preloads of a program: members that load on use all exist, and stacks are recorded where they are read. */
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { spread } from "../../test/chance";
import { temporaryFolder } from "../../test/files";
import { preloadArguments } from "../preloads";

const sdks = spread(["pulumi-oldest", "pulumi-newest", "@pulumi/pulumi"], 2);

/** What the script logs in a process that the engine could have started. */
function inProgram(sdk: string, script: string, env: NodeJS.ProcessEnv = {}) {
  const folder = dirname(require.resolve(`${sdk}/package.json`));
  // The SDK's own command, which would require its arguments, is an empty module. Its search for leaked promises would report the test's.
  const text = `const sdk = ${JSON.stringify(folder)};
    require.cache[sdk + "/cmd/run/index.js"] = Object.assign(new module.constructor(""), { loaded: true });
    (async () => {${script}})().then(() => process.removeAllListeners("exit").exit(0));`;
  const file = join(temporaryFolder({ "script.cjs": text }), "script.cjs");
  const args = [...preloadArguments("lazy-sdk-modules", "no-promise-stacks"), "-r", file, join(folder, "cmd/run")];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, ...env } }));
}

/** Modules of a program: undefined exports, and members that fail when they are read. */
const folder = temporaryFolder({
  "0.js": "module.exports = null;",
  "1.js": "module.exports = undefined;",
  "2.js": `module.exports = { get debuggablePromise() { throw new Error("read"); }, fine: true };`,
});

/** The stack that the SDK records for a promise. */
const promiseStack = `const promise = Promise.resolve();
  require(sdk + "/runtime/debuggable").debuggablePromise(promise, "a test");
  const promiseStack = promise._debugStackTrace;`;

test.each(sdks)("%s: tracing, the automation API, stacks", (sdk) => {
  const seen = inProgram(
    sdk,
    `const isLoaded = (part) => Object.values(require.cache).some((module) => module.loaded && module.id.includes(part) && module.children.length > 0);
     require(${JSON.stringify(require.resolve("source-map-support/register"))});
     const pulumi = require(sdk);
     const tracing = require(sdk + "/cmd/run/tracing.js");
     const span = tracing.newSpan("a test");
     for (const call of ["setAttribute", "addEvent", "end"]) span[call]("a", "b");
     const before = [isLoaded("automation/localWorkspace"), isLoaded("exporter-zipkin")];
     const automation = require(sdk + "/automation");
     const copy = {};
     for (const name in automation) copy[name] = automation[name];
     class Mine extends pulumi.automation.Stack {}
     ${promiseStack}
     const { mapSourcePosition } = require("module").createRequire(sdk + "/cmd/run/index.js")("source-map-support");
     const place = mapSourcePosition({ source: sdk + "/resource.js", line: 500, column: 10 });
     console.log(JSON.stringify({
       place,
       before,
       members: ["LocalWorkspace", "Stack", "fullyQualifiedStackName"].map((name) => [name in automation, typeof pulumi.automation[name], typeof copy[name]]),
       extended: Object.getPrototypeOf(Mine) === automation.Stack,
       tracing: typeof tracing.start,
       after: isLoaded("automation/localWorkspace"),
       promiseStack,
       error: new Error("boom").stack,
       fine: [0, 1, 2].map((i) => String(require(${JSON.stringify(folder)} + "/" + i)?.fine)),
     }));`,
  );
  expect(seen).toEqual({
    place: { source: expect.stringMatching(/resource\.js$/), line: 500, column: 10 },
    before: [false, false],
    members: Array(3).fill([true, "function", "function"]),
    extended: true,
    tracing: "function",
    after: true,
    promiseStack: expect.not.stringContaining(" at "),
    error: expect.stringMatching(/^Error: boom\n {4}at /),
    fine: ["undefined", "undefined", "true"],
  });
});

test.each(sdks)("%s: debug messages are not sent, all others are", (sdk) => {
  const seen = inProgram(
    sdk,
    `const { log } = require(sdk);
     const sent = [];
     require(sdk + "/runtime/settings.js").getEngine = () => ({ log: (request, done) => { sent.push(request.getMessage()); done(); } });
     const { debug } = log;
     const redacted = [];
     log.debug = (message) => debug(redacted.push(message));
     await log.debug("a debug message");
     for (const level of ["info", "warn", "error"]) await log[level](level);
     console.log(JSON.stringify({ sent, redacted, hasErrors: log.hasErrors() }));`,
  );
  expect(seen).toEqual({ sent: ["info", "warn", "error"], redacted: ["a debug message"], hasErrors: true });
});

test("whoever looks for leaked promises gets their stacks", () => {
  const script = `${promiseStack} console.log(JSON.stringify(promiseStack));`;
  const seen = inProgram("@pulumi/pulumi", script, { PULUMI_DEBUG_PROMISE_LEAKS: "true" });
  expect(seen).toMatch(/^Error:? ?\n {4}at (Object\.)?debuggablePromise/);
});

test.each(sdks)("%s: the host of providers, and a provider that uses the SDK", (sdk) => {
  const folder = dirname(require.resolve(`${sdk}/package.json`));
  const provider = `const sdk = ${JSON.stringify(folder)};
    const isLoaded = (part) => Object.values(require.cache).some((module) => module.id.endsWith(part) && module.children.length > 0);
    const print = console.log;
    console.log = (port) => {
      const before = isLoaded("runtime/resource.js");
      const pulumi = require(sdk);
      const { runtime } = pulumi;
      const rpc = require(sdk + "/runtime/rpc.js");
      print(JSON.stringify({
        port: Number(port) > 0,
        before,
        secret: pulumi.Output.isInstance(pulumi.secret("a")),
        options: Object.entries(require(sdk + "/runtime/settings.js").grpcChannelOptions).filter(([name, value]) => runtime.grpcChannelOptions[name] !== value),
        rpc: [rpc.unknownValue, rpc.unwrapRpcSecret({ [rpc.specialSigKey]: rpc.specialSecretSig, value: 7 }), typeof runtime.serializeProperty],
        after: isLoaded("runtime/resource.js"),
      }));
      process.removeAllListeners("exit").exit(0);
    };`;
  const file = join(temporaryFolder({ "provider.cjs": provider }), "provider.cjs");
  const args = [
    ...preloadArguments("lazy-sdk-modules"),
    "-r",
    file,
    join(folder, "cmd/dynamic-provider"),
    "127.0.0.1:1",
  ];
  expect(JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }))).toEqual({
    port: true,
    before: false,
    secret: true,
    options: [],
    rpc: ["04da6b54-80e4-46f7-96ec-b56ff0331ba9", 7, "function"],
    after: true,
  });
});
