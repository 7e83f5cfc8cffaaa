/**
 * The built-in engine on programs of 10 to 3,000 resources whose provider does nothing: CPU of the whole process tree
 * (engine, program, provider) as ratios, writes of the state, and the peak memory of the engine's process.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { secondsOfChildren, undisturbed } from "./_cpu";

const root = path.join(__dirname, "../..");
const driver = path.join(__dirname, "_driver.cjs");

interface Run {
  /** User and system time of everything that was started, in seconds. */
  cpu: number;
  wall: number;
  writes: number;
  /** Peak of the engine's own process, in megabytes. */
  memory: number;
}

const dir = mkdtempSync(path.join(tmpdir(), "bench-engine-"));

function prepare(): void {
  for (const name of ["engine-program.js", "engine-provider.js"])
    copyFileSync(path.join(__dirname, name), path.join(dir, name));
  writeFileSync(path.join(dir, "package.json"), '{"private": true, "main": "engine-program.js"}');
  writeFileSync(
    path.join(dir, "Pulumi.yaml"),
    "name: bench\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  );
  mkdirSync(path.join(dir, "node_modules/@pulumi"), { recursive: true });
  symlinkSync(path.join(root, "node_modules/@pulumi/pulumi"), path.join(dir, "node_modules/@pulumi/pulumi"));
}

/** Runs a command in a shell that says afterwards how much time its children took. */
function measure(command: string[], env: Record<string, string> = {}): { cpu: number; wall: number; output: string } {
  const quoted = command.map((c) => `'${c.replaceAll("'", "'\\''")}'`).join(" ");
  const began = performance.now();
  const output = execFileSync("/bin/sh", ["-c", `${quoted}; times`], {
    cwd: dir,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: {
      ...process.env,
      PULUMI_BACKEND_URL: `file://${dir}`,
      PULUMI_HOME: path.join(dir, "home"),
      PULUMI_CONFIG_PASSPHRASE: "bench",
      ...env,
    },
  });
  const wall = (performance.now() - began) / 1000;
  return { cpu: secondsOfChildren(output.trim().split("\n").at(-1) ?? ""), wall, output };
}

function engine(verb: string, count: number, shape = "wide"): Run {
  const { cpu, wall, output } = measure([process.execPath, driver, verb, "--stack", `s${count}${shape}`], {
    N: String(count),
    SHAPE: shape,
  });
  const lines = output.split("\n");
  const result = lines.find((l) => l.startsWith('{"operation"'));
  const stats = lines.find((l) => l.startsWith('{"cpu"'));
  if (result === undefined && verb !== "init") throw new Error(`${verb} of ${count} did not end:\n${output}`);
  return {
    cpu,
    wall,
    writes: result === undefined ? 0 : Number(JSON.parse(result).stateWrites),
    memory: stats === undefined ? 0 : Number(JSON.parse(stats).maxRss) / 1024,
  };
}

/** CPU of an `up` without changes, as a multiple of loading the SDK: several rounds of both, in turn. */
function startUp(): number {
  engine("up", 10);
  const rounds = Array.from({ length: 7 }, () => ({
    run: engine("up", 10).cpu,
    load: measure([process.execPath, "-e", 'require("@pulumi/pulumi")']).cpu,
  }));
  return undisturbed(rounds.map(({ run }) => run)) / undisturbed(rounds.map(({ load }) => load));
}

/** CPU of the first `up`, in several rounds. */
function creates(count: number): number {
  const rounds = Array.from({ length: 3 }, () => {
    engine("destroy", count);
    return engine("up", count).cpu;
  });
  return undisturbed(rounds);
}

let broken = false;
function report(what: string, value: number, limit: number, unit = ""): void {
  const ok = value <= limit;
  broken ||= !ok;
  console.log(`${ok ? "  " : "✗ "}${what.padEnd(62)} ${value.toFixed(2)}${unit} (limit ${limit}${unit})`);
}
const table = (what: string, r: Run): void =>
  console.log(
    `  ${what.padEnd(28)} ${r.cpu.toFixed(1).padStart(6)} s CPU ${r.wall.toFixed(1).padStart(6)} s ${String(r.writes).padStart(5)} writes ${r.memory.toFixed(0).padStart(5)} MB`,
  );

prepare();
try {
  const runs = new Map<string, Run>();
  for (const [count, shape] of [
    [10, "wide"],
    [100, "wide"],
    [1000, "wide"],
    [1000, "deep"],
    [3000, "wide"],
  ] as const) {
    engine("init", count, shape);
    for (const verb of ["up", "again", "refresh", "destroy"]) {
      const run = engine(verb === "again" ? "up" : verb, count, shape);
      runs.set(`${verb} ${count} ${shape}`, run);
      table(`${verb} ${count} ${shape}`, run);
    }
  }
  const of = (name: string): Run => runs.get(name) as Run;
  report("CPU, no change in 10 : require('@pulumi/pulumi')", startUp(), 4);
  // It was 4 when the start, of which the smaller run mostly consists, took a second more than now.
  report("CPU, 1,000 creates : 100 creates", creates(1000) / creates(100), 4.5);
  // One more before the first create, and one at the end.
  for (const n of [100, 1000, 3000])
    report(`writes for ${n} creates : ${n} / 8 + 2`, of(`up ${n} wide`).writes / (n / 8 + 2), 1);
  for (const n of [10, 100, 1000, 3000]) report(`writes for no change in ${n}`, of(`again ${n} wide`).writes, 1);
  const peak = (n: number): number =>
    Math.max(...["up", "again", "refresh", "destroy"].map((v) => of(`${v} ${n} wide`).memory));
  report("memory of the engine, 3,000 : 100", peak(3000) / peak(100), 1.5);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
process.exitCode = broken ? 1 : 0;
