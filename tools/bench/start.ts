/**
 * How a run starts: when the emulator, the engine and the program begin and are ready, as a trace. What is held to is the order, not the
 * time: the engine listens before the program begins, and no provider is a process, since the engine's own has it.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.join(__dirname, "../..");
const dir = mkdtempSync(path.join(tmpdir(), "bench-start-"));
const trace = path.join(dir, "trace");

interface Event {
  at: number;
  who: "esign" | "program" | "provider";
  what: string;
}

/** One `esign up --local`, which makes one webhook; what its processes wrote down, in order. */
function run(): Event[] {
  rmSync(trace, { force: true });
  const args = ["up", "--yes", "--skip-preview", "--local", "--engine", "embedded"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, "dist/cli/main.js"), ...args], {
    cwd: dir,
    encoding: "utf8",
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      PULUMI_HOME: path.join(dir, ".pulumi"),
      TRACE: trace,
      NODE_OPTIONS: `--require ${path.join(__dirname, "start-trace.cjs")}`,
    },
  });
  if (status !== 0) throw new Error(stdout + stderr);
  const lines = readFileSync(trace, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Event).sort((a, b) => a.at - b.at);
}

try {
  mkdirSync(path.join(dir, "node_modules/@pulumi"), { recursive: true });
  symlinkSync(path.join(root, "node_modules/@pulumi/pulumi"), path.join(dir, "node_modules/@pulumi/pulumi"));
  symlinkSync(root, path.join(dir, "node_modules/pulumi-esign"));
  writeFileSync(
    path.join(dir, "Pulumi.yaml"),
    "name: bench\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  );
  writeFileSync(path.join(dir, "package.json"), '{"private": true, "main": "index.js"}');
  writeFileSync(
    path.join(dir, "index.js"),
    `trace("first line");
     const { Webhook } = require("pulumi-esign");
     new Webhook("all", { type: "all", url: "https://hooks.example.com" });
     trace("last line");`,
  );
  // The first run makes the stack.
  run();
  const events = run();
  const begin = events[0]?.at ?? 0;
  for (const { at, who, what } of events)
    console.log(`${String(Math.round(at - begin)).padStart(7)} ms  ${who.padEnd(8)}  ${what}`);
  const at = (who: Event["who"], what: string, last = false): number => {
    const found = events.filter((e) => e.who === who && e.what === what);
    return found.at(last ? -1 : 0)?.at ?? Number.NaN;
  };
  // The service is the first that esign listens with, and the engine the second.
  const isReady = at("esign", "listens", true) < at("program", "begins");
  const providers = events.filter(({ who }) => who === "provider").length;
  const ok = isReady && providers === 0;
  console.log(JSON.stringify({ bench: "start", isReady, providers, ok }));
  if (!ok) process.exitCode = 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
