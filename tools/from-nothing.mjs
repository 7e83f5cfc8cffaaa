// What a stranger does: an empty folder, `init`, install, type check, tests, up, up again, destroy, with the tarball that would be
// published, for each template and package manager. Needs a registry. Where the Pulumi CLI is on PATH, with `pulumi new`, too.
//   npm run from-nothing                  all of them
//   npm run from-nothing -- --quick       two of them, with npm
//   npm run from-nothing -- --list        what would run
//   npm run from-nothing -- pnp esm       those whose line has all these words
//   npm run from-nothing -- --keep        leaves the folders for a look
import { spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { steps } from "./from-nothing/project.mjs";
import { describe, full, quick, withPulumi } from "./from-nothing/scenarios.mjs";
import { environment, installTools, lintPackage } from "./from-nothing/tools.mjs";
import { build, dim, green, install, red, root, say, seconds } from "./prepare.mjs";

const args = process.argv.slice(2);
const words = args.filter((word) => !word.startsWith("--"));
const has = (flag) => args.includes(flag);
const stepNames = ["init", "check", "test", "up", "again", "destroy"];
const patience = 10 * 60_000;

/** The folder of the Pulumi CLI, if there is one. The projects that do not ask for it must not find it. */
const pulumiFolder = process.env.PATH.split(delimiter).find((folder) => isExecutable(join(folder, "pulumi")));
const scenarios = (has("--quick") ? quick : [...full, ...(pulumiFolder === undefined ? [] : withPulumi)]).filter(
  (each) => words.every((word) => describe(each).join(" ").split(" ").includes(word)),
);

const home = mkdtempSync(join(tmpdir(), "esign-from-nothing-"));
/** The process that runs now, with all that it has started. */
let child;
const cleanUp = () => {
  if (child?.pid !== undefined) {
    try {
      process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
  if (!has("--keep")) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
};
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
]) {
  process.on(signal, () => {
    cleanUp();
    process.exit(code);
  });
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function tryToRun([command, ...rest], { cwd, env = process.env }) {
  return new Promise((resolve, reject) => {
    const windows = process.platform === "win32";
    child = spawn(command, rest, { cwd, env, detached: !windows, shell: windows, stdio: ["ignore", "pipe", "pipe"] });
    let output = `$ ${[command, ...rest].join(" ")}\n`;
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    const timer = setTimeout(() => {
      output += `\nended after ${patience / 60_000} minutes`;
      process.kill(windows ? child.pid : -child.pid, "SIGKILL");
    }, patience);
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}

async function run(command, options) {
  const { code, output } = await tryToRun(command, options);
  if (code !== 0) throw new Error(`${output}\nexit code ${code}`);
  return output;
}

/** @returns the time of each step in seconds; the error of the one that failed */
async function live(scenario, tarball, number) {
  const folder = join(home, String(number));
  mkdirSync(folder);
  const folders = await installTools(scenario, run);
  const needsPulumi = scenario.pulumi === "pulumi new";
  const path = process.env.PATH.split(delimiter)
    .filter((each) => needsPulumi || each !== pulumiFolder)
    .filter((each) => !each.includes("node_modules"))
    .join(delimiter);
  // Beside the project: where it has no state of its own, the CLI keeps it there.
  const env = { ...environment(`${folder}-home`, folders, path), PULUMI_CONFIG_PASSPHRASE: "from-nothing" };
  const here = { cwd: folder, env };
  const times = {};
  let [step, since] = [undefined, performance.now()];
  const finish = () => {
    if (step !== undefined) times[step] = (performance.now() - since) / 1000;
    since = performance.now();
  };
  try {
    const tools = {
      folder,
      tarball,
      run: (line) => run(line, here),
      tryToRun: (line, more) => tryToRun(line, { cwd: folder, env: { ...env, ...more } }),
    };
    for await (const name of steps(scenario, tools)) {
      finish();
      step = name;
    }
    finish();
    return { times };
  } catch (error) {
    finish();
    return { times, failed: step ?? "init", error };
  } finally {
    if (!has("--keep")) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const titles = ["template", "modules", "manager", "loader", "Node", "SDK", ...stepNames, "sum"];
function printTable(results) {
  const rows = results.map(({ scenario, times, failed }) => {
    const cells = stepNames.map((step) => (failed === step ? "failed" : (times[step]?.toFixed(0) ?? "")));
    const sum = Object.values(times).reduce((total, time) => total + time, 0);
    return [...describe(scenario).map((cell) => cell.replace(/^(Node|SDK) /, "")), ...cells, sum.toFixed(0)];
  });
  const widths = titles.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)));
  const line = (cells) =>
    cells.map((cell, i) => (i < 6 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  ");
  console.log(`\n${line(titles)}`);
  for (const [i, row] of rows.entries()) console.log(results[i].error === undefined ? line(row) : red(line(row)));
}

async function main() {
  if (has("--list")) return scenarios.map((each) => console.log(describe(each).join("  ")));
  if (scenarios.length === 0) throw new Error(`no project has all of: ${words.join(", ")}`);
  await install();
  await build();
  const begin = performance.now();
  await run(["npm", "pack", "--ignore-scripts", "--pack-destination", home], { cwd: root });
  const tarball = join(
    home,
    readdirSync(home).find((name) => name.endsWith(".tgz")),
  );
  await lintPackage(tarball, run);
  say(`${green("✓")} publint and attw find nothing in the package ${dim(seconds(begin))}`);
  const results = [];
  for (const [i, scenario] of scenarios.entries()) {
    const since = performance.now();
    const result = await live(scenario, tarball, i + 1);
    results.push({ scenario, ...result });
    const title = `${i + 1}/${scenarios.length} ${describe(scenario).join(", ")} ${dim(seconds(since))}`;
    if (result.error === undefined) say(`${green("✓")} ${title}`);
    else say(`${red("✗")} ${title}\n${result.failed}: ${result.error.message}`);
  }
  printTable(results);
  const failures = results.filter(({ error }) => error !== undefined).length;
  say(failures === 0 ? green(`\nAll work, in ${seconds(begin)}`) : red(`\n${failures} failed, in ${seconds(begin)}`));
  if (has("--keep")) say(`Folders: ${home}`);
  process.exitCode = failures === 0 ? 0 : 1;
}

main()
  .catch((error) => {
    say(red(error.message));
    process.exitCode = 1;
  })
  .finally(cleanUp);
