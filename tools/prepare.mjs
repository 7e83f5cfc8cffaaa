// Prepares the checkout for a script: installs when the lock file is newer, builds when a source is newer. Each is one line on the terminal.
// Only Node's own modules: this runs before anything is installed.
import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** TypeScript 7 compiles: a quarter of the CPU. What asks TypeScript about sources has version 5, since 7 has no API. */
export const compiler = join(root, "node_modules/typescript-7/bin/tsc");
// It is written in Go: if it collects garbage less often, it takes a quarter less CPU for a twentieth more memory.
process.env.GOGC ??= "400";

/** The rooms that are compiled into dist/, and folders in them that are not. */
const { include: rooms, exclude = [] } = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8"));
const notBuilt = exclude.map((folder) => join(root, folder, sep));
const dist = join(root, "dist");
/** Each module for itself, for tests: dist/ has the same, bundled. */
const modulesIn = (place) => join(place, ".modules");
const stampIn = (place) => join(place, ".built");
/** Where a package is built from nothing, beside what running commands still load. */
const clean = join(root, "node_modules", ".cache", "esign-dist");

const colours =
  process.env.FORCE_COLOR !== undefined
    ? process.env.FORCE_COLOR !== "0"
    : process.stderr.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
const paint = (code) => (text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
export const bold = paint(1);
export const dim = paint(2);
export const red = paint(31);
export const green = paint(32);

/** Notes go to stderr: stdout belongs to what was asked for. */
export const say = (text) => process.stderr.write(`${text}\n`);
export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)}s`;

const checkNode = () => {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const oldest = engines.node.replace(">=", "");
  if (process.versions.node.localeCompare(oldest, "en", { numeric: true }) < 0) {
    say(red(`Node ${process.versions.node} is too old: version ${oldest} or newer is needed (https://nodejs.org).`));
    process.exit(1);
  }
};

/** Whether a line may be drawn again: on a terminal, unless a log keeps what it shows. */
const live = process.stderr.isTTY === true && !process.env.CI;

/** How often a log hears of what goes on, in milliseconds. */
const PROGRESS_INTERVAL = 10_000;

/**
 * Says every ten seconds that something goes on, for a log that no one can see moving; returns the function that ends this.
 * @param {() => string} describe
 */
export function sayProgress(describe, print = say) {
  const begin = performance.now();
  const elapsed = () => `${Math.round((performance.now() - begin) / 1000)}s`;
  const timer = setInterval(() => print(dim(`  ${describe()} … ${elapsed()}`)), PROGRESS_INTERVAL);
  timer.unref();
  return () => clearInterval(timer);
}

/** Runs a command, which ends with this process; resolves to its exit code and, when quiet, what it printed. */
export function run(command, args, { quiet = false, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit" });
    const kill = () => child.kill();
    process.once("exit", kill);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (output += data));
    child.once("error", reject);
    child.once("close", (code, signal) => {
      process.off("exit", kill);
      resolve({ code: code ?? (signal === "SIGINT" ? 130 : 1), output });
    });
  });
}

/** One preparing step: a line while it runs, its cost after it, everything it printed when it fails. */
async function step(title, shown, command, args) {
  const begin = performance.now();
  const line = () => dim(`› ${title}: ${shown} … ${seconds(begin)}`);
  if (!live) say(dim(`› ${title}: ${shown}`));
  const redraw = () => {
    const timer = setInterval(() => process.stderr.write(`\r${line()}`), 100);
    return () => clearInterval(timer);
  };
  const end = live ? redraw() : sayProgress(() => title);
  const { code, output } = await run(command, args, { quiet: true });
  end();
  say(live ? `\r${line()}\u001b[K` : dim(`  done in ${seconds(begin)}`));
  if (code === 0) return;
  say(output.trimEnd());
  say(red(`${title} failed.`));
  process.exit(1);
}

const time = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** Paths of everything in the rooms that is built. */
export const sources = () =>
  rooms
    .filter((room) => existsSync(join(root, room)))
    .flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, withFileTypes: true }).map((entry) =>
        join(entry.parentPath ?? entry.path, entry.name),
      ),
    )
    .filter((path) => !notBuilt.some((folder) => path.startsWith(folder)));

/** What a build reads besides the rooms: how, and with which packages. */
const settings = [
  ...["tsconfig.json", "tsconfig.build.json", "package.json", "package-lock.json", "schemas/provider.json"],
  ...["prepare.mjs", "bundle.mjs", "bundled-packages.json"].map((name) => `tools/${name}`),
];

const newestSource = () =>
  settings
    .map((name) => join(root, name))
    .concat(sources())
    .reduce((newest, path) => Math.max(newest, time(path)), 0);

/** Commands in folders `bin` have names without an ending: nothing to the compiler. What is started must be executable. */
function copyCommands(place) {
  for (const path of sources().filter((source) => basename(dirname(source)) === "bin")) {
    for (const folder of [place, modulesIn(place)]) {
      const copy = join(folder, relative(root, path));
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(path, copy);
      chmodSync(copy, 0o755);
    }
  }
}

/** What the compiler has left of sources that were moved or deleted: a file that is stale would come before a folder of its name. */
function removeStale(place) {
  for (const [folder, ending] of [
    [modulesIn(place), ".js"],
    [place, ".d.ts"],
  ])
    for (const path of readdirSync(folder, { recursive: true }))
      if (path.endsWith(ending) && !existsSync(join(root, `${path.slice(0, -ending.length)}.ts`)))
        rmSync(join(folder, path));
  // With a manifest the modules would be a package, in which they look for its templates.
  rmSync(join(modulesIn(place), "package.json"), { force: true });
}

/** `npm ci`, when there is nothing installed or the lock file changed since. */
export async function install() {
  checkNode();
  if (time(join(root, "node_modules", ".package-lock.json")) >= time(join(root, "package-lock.json"))) return;
  // `npm ci` empties the folder first, through a symbolic link that of another copy.
  if (lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink())
    return say("node_modules is a symbolic link, and older than package-lock.json: nothing is installed through it.");
  const npm = process.env.npm_execpath;
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  await (npm?.endsWith(".js")
    ? step("Installing", "npm ci", process.execPath, [npm, ...args])
    : step("Installing", "npm ci", process.platform === "win32" ? "npm.cmd" : "npm", args));
}

/** Compiles the rooms into dist/ when a source is newer than the last build; from nothing, if it is to be clean. */
export async function build({ clean: isClean = false } = {}) {
  if (isClean) return buildBeside();
  if (time(stampIn(dist)) < newestSource()) await compileInto(dist);
}

/** A package holds nothing stale, and a command that runs meanwhile finds its files: those of before, then the new ones. */
async function buildBeside() {
  const former = `${clean}.former`;
  for (const folder of [clean, former]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(clean, { recursive: true });
  await compileInto(clean);
  if (existsSync(dist)) renameSync(dist, former);
  renameSync(clean, dist);
  rmSync(former, { recursive: true, force: true });
}

async function compileInto(place) {
  const begin = new Date();
  const elsewhere = [
    "--outDir",
    modulesIn(place),
    "--declarationDir",
    place,
    "--tsBuildInfoFile",
    join(place, ".tsbuildinfo"),
  ];
  await step("Building", "tsc", process.execPath, [
    compiler,
    "-p",
    "tsconfig.build.json",
    ...(place === dist ? [] : elsewhere),
  ]);
  removeStale(place);
  await step("Bundling", "rolldown", process.execPath, [join(root, "tools/bundle.mjs"), place]);
  copyCommands(place);
  writeFileSync(stampIn(place), "");
  // What is edited while the compiler runs may have come too late for it.
  utimesSync(stampIn(place), begin, begin);
}
