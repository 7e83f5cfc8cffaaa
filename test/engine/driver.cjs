// A command line for tests that need the engine in a process of its own: `driver.cjs <verb> --stack <name> [options]`.
// The product's command is another one; this one knows only what the recordings use. ENGINE names the compiled engine.
"use strict";
const path = require("node:path");
const { openProject } = require(process.env.ENGINE || path.join(__dirname, "../../dist/engine/index.js"));

const VALUES = new Set(["stack", "target", "exclude", "replace", "parallel", "message"]);

function parse(argv) {
  const [verb, ...rest] = argv;
  const options = { target: [], exclude: [], replace: [] };
  const words = [];
  for (let i = 0; i < rest.length; i++) {
    if (!rest[i].startsWith("--")) words.push(rest[i]);
    else {
      const name = rest[i].slice(2);
      const value = VALUES.has(name) ? rest[++i] : true;
      if (Array.isArray(options[name])) options[name].push(value);
      else options[name] = value;
    }
  }
  return { verb, words, options };
}

async function main() {
  const { verb, words, options } = parse(process.argv.slice(2));
  const project = await openProject({ dir: process.cwd() });
  const name = options.stack;
  if (verb === "init") return void (await project.initStack(name));
  const stack = await project.openStack(name);
  if (verb === "cancel") return void (await stack.cancel());
  if (verb === "state") {
    if (words[0] === "taint") return void (await stack.taint([words[1]]));
    if (words[0] === "unprotect") return void (await stack.unprotect(options.all ? "all" : [words[1]]));
    if (words[0] === "remove") return void (await stack.deleteResource(words[1]));
    throw new Error(`unknown state command ${words[0]}`);
  }
  const abort = new AbortController();
  process.on("SIGINT", () => abort.abort());
  const result = await stack.run(verb === "up" ? "update" : verb, {
    targets: options.target,
    excludes: options.exclude,
    replaces: options.replace,
    targetDependents: options["target-dependents"],
    refresh: options.refresh,
    runProgram: options["run-program"],
    expectNoChanges: options["expect-no-changes"],
    continueOnError: options["continue-on-error"],
    clearPendingCreates: options["clear-pending-creates"],
    typeCheck: options["type-check"],
    parallel: options.parallel && Number(options.parallel),
    message: options.message,
    signal: abort.signal,
    onEvent(event) {
      if (process.env.EVENTS) require("node:fs").appendFileSync(process.env.EVENTS, `${JSON.stringify(event)}\n`);
      if (event.type === "diagnostic") console.log(`${event.severity}: ${event.urn ?? ""} ${event.message}`);
      else if (event.type === "step") console.log(`${event.status} ${event.step.op} ${event.step.urn}`);
      else if (event.type === "end") console.log(JSON.stringify(event.result));
    },
  });
  if (process.env.STATS)
    console.log(
      JSON.stringify({ cpu: process.cpuUsage(), maxRss: process.resourceUsage().maxRSS, ...process.memoryUsage() }),
    );
  process.exitCode = result.ok ? 0 : 1;
}

main().catch((error) => {
  console.error(`error: ${error.name === "EngineError" ? error.message : error.stack}`);
  process.exitCode = 1;
});
