// All that is tried, in parts. All parts run even if one fails, so that one look shows all there is to do.
//   npm test                   build, types, lint, all tests but the nightly ones; with names of files, only those tests
//   npm run check              types, lint, layout
//   npm run test:fast          the short tests that start no process, in all rooms, without a build
//   npm run test:room -- sdk   the tests of a room; those of the engine, from its own folder: npm test -w engine
//   npm run test:nightly       every test, with ten times as many random cases
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { bold, build, compiler, dim, green, install, red, root, run, say, sayProgress, seconds } from "./prepare.mjs";

const [mode, ...rest] = process.argv.slice(2);
const begin = performance.now();
const bin = (path) => join(root, "node_modules", path);
const vitest = (...args) => [bin("vitest/vitest.mjs"), "run", ...args];

const types = ["Types", [compiler, "--noEmit", "-p", "."]];
const lint = ["Lint", [bin("@biomejs/biome/bin/biome"), "check", "."]];
const layout = ["Layout", vitest("--project", "in-process", "test/repo")];
const namesFiles = rest.some((argument) => !argument.startsWith("-"));
const tests = (title, ...args) => [title, vitest(...args, ...rest)];
// Those in the process need no build.
const inProcessTests = tests("In-process tests", "--project", "in-process", "--project", "plugin");
const systemTests = tests("System tests", "--project", "system");

function room() {
  const [name, ...more] = rest;
  const rooms = readdirSync(join(root, "test"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "fixtures")
    .map((entry) => entry.name)
    .concat("engine");
  const folder = name === "engine" ? "engine/test/" : `test/${name}/`;
  if (rooms.includes(name)) return [["Tests", vitest("--project", "!nightly", folder, ...more)]];
  say(red(name === undefined ? "Which room?" : `There is no room ${name}.`));
  say(`npm run test:room -- <${rooms.join("|")}>`);
  return process.exit(2);
}

/** `beside`: what needs no build goes on beside it and the parts. Files that are named may be nightly ones. */
const modes = {
  all: namesFiles
    ? { builds: true, beside: [types, lint], parts: () => [tests("Tests")] }
    : { builds: true, beside: [types, lint, inProcessTests], parts: () => [systemTests] },
  // One worker loads TypeScript and all that these few files need once: an eighth less CPU.
  check: { parts: () => [types, lint, layout], env: { VITEST_MAX_WORKERS: "1" } },
  fast: { parts: () => [tests("Tests", "--project", "in-process")], env: { SHORT_TESTS: "yes" } },
  room: { builds: true, parts: room },
  nightly: { builds: true, parts: () => [tests("Tests")], env: { RANDOM_TIMES: "10" } },
};
const { builds = false, beside = [], parts, env = {} } = modes[mode];

const failed = [];
/** Runs a part; a quiet one says all it has to say at its end. */
async function runPart([title, args], { quiet = false } = {}) {
  const since = performance.now();
  const heading = () => isOneOfSeveral && say(`\n${bold(`── ${title} `.padEnd(60, "─"))}`);
  if (!quiet) heading();
  const end = quiet ? sayProgress(() => title) : () => {};
  const { code, output } = await run(process.execPath, args, { quiet, env: { ...env, ...process.env } });
  end();
  if (quiet) heading();
  if (output !== "") say(output.trimEnd());
  if (code !== 0) failed.push(title);
  say(`${code === 0 ? green("✓") : red("✗")} ${title} ${dim(seconds(since))}`);
}

async function runAll(list, options) {
  for (const part of list) await runPart(part, options);
}

const chosen = parts();
const isOneOfSeveral = chosen.length + beside.length > 1;
await install();
await Promise.all([runAll(beside, { quiet: true }), (builds ? build() : Promise.resolve()).then(() => runAll(chosen))]);

if (failed.length > 0) say(red(bold(`\nFailed: ${failed.join(", ")} (${seconds(begin)})`)));
else if (isOneOfSeveral) say(green(bold(`\nAll good in ${seconds(begin)}`)));
process.exit(failed.length > 0 ? 1 : 0);
