/**
 * Replays what the Pulumi CLI did with small programs, step by step, and compares: the state it left, the provider
 * calls it made, how it ended, what it counted, its history and its locks. See test/fixtures/recordings/README.md.
 */
import { execFile, spawn } from "node:child_process";
import { createDecipheriv, pbkdf2Sync } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import type { RunResult } from "../../engine";
import { currentProcess } from "../../fs/process-identity";
import { openProject } from "./warm-processes";

const ROOT = path.join(__dirname, "../..");
const FIXTURES = path.join(ROOT, "test/fixtures/recordings");
const DRIVER = path.join(__dirname, "driver.cjs");
export const PASSPHRASE = "correct-horse";

export interface RecordedStep {
  n: number;
  verb: "init" | "preview" | "up" | "refresh" | "destroy" | "cancel" | "state";
  args?: string[];
  env: Record<string, string>;
  stack?: string;
  files?: Record<string, string>;
  /** "op:name": the engine is killed 1.5 s after this call began. */
  killAt?: string;
  note?: string;
  exitCode: number | string;
  resourceChanges?: Record<string, number>;
  history?: { kind: string; result: string; resourceChanges?: Record<string, number> };
  locks: number;
  /** What the CLI itself did differently in another run. */
  unstable?: string[];
}

type Json = null | boolean | number | string | Json[] | { [k: string]: Json };
type Obj = { [k: string]: Json };
const isObject = (v: unknown): v is Obj => v !== null && typeof v === "object" && !Array.isArray(v);

/** Keys in order, so that equal values have equal text. */
const sorted = (v: Json): Json =>
  Array.isArray(v)
    ? v.map(sorted)
    : isObject(v)
      ? Object.fromEntries(
          Object.keys(v)
            .sort()
            .map((k) => [k, sorted(v[k] as Json)]),
        )
      : v;

// ----------------------------------------------------------------------------------------------------------- secrets

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const openers = new Map<string, (text: string) => string>();

function opener(salt: string): (text: string) => string {
  let open = openers.get(salt);
  if (open === undefined) {
    const key = pbkdf2Sync(PASSPHRASE, Buffer.from(salt.split(":")[1] as string, "base64"), 1_000_000, 32, "sha256");
    open = (text) => {
      const [, nonce, data] = text.split(":") as [string, string, string];
      const bytes = Buffer.from(data, "base64");
      const d = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"));
      d.setAuthTag(bytes.subarray(-16));
      return Buffer.concat([d.update(bytes.subarray(0, -16)), d.final()]).toString("utf8");
    };
    openers.set(salt, open);
  }
  return open;
}

/** A ciphertext is different every time: what is compared is that it is a secret, and its value. */
const openSecrets = (v: Json, open: (text: string) => string): Json => {
  if (Array.isArray(v)) return v.map((x) => openSecrets(x, open));
  if (!isObject(v)) return v;
  if (v[SIGNATURE] === SECRET && typeof v.ciphertext === "string")
    return { [SIGNATURE]: SECRET, value: openSecrets(JSON.parse(open(v.ciphertext)) as Json, open) };
  return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, openSecrets(x, open)]));
};

// ------------------------------------------------------------------------------------------------------------- state

interface Checkpoint {
  version: number;
  stack: string;
  secretsProvider?: string;
  resources: Obj[];
  pendingOperations: Obj[];
}

const isProvider = (r: Obj): boolean => String(r.type).startsWith("pulumi:providers:");
const byUrn = (a: Obj, b: Obj): number => (String(a.urn) < String(b.urn) ? -1 : String(a.urn) > String(b.urn) ? 1 : 0);

/** References that do not come before the resource, and other breaches of what the CLI demands of a state. */
export function orderProblems(resources: Obj[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  const providers = new Set<string>();
  const live = new Set<string>();
  for (const r of resources) {
    const urn = String(r.urn);
    const refs = [r.parent, r.deletedWith, ...((r.dependencies as Json[]) ?? []), ...((r.replaceWith as Json[]) ?? [])]
      .concat(Object.values((r.propertyDependencies as Obj) ?? {}).flat())
      .filter((u) => u !== undefined && u !== null);
    for (const ref of refs)
      if (!seen.has(String(ref))) problems.push(`${urn}: ${String(ref)} is not earlier in the list`);
    if (r.provider && !r.pendingReplacement && !providers.has(String(r.provider)))
      problems.push(`${urn}: its provider is not earlier in the list`);
    if (!r.custom && r.id) problems.push(`${urn}: has an id but is not custom`);
    if (!r.delete && live.has(urn)) problems.push(`${urn}: more than one live entry`);
    if (!r.delete) live.add(urn);
    seen.add(urn);
    if (isProvider(r)) providers.add(`${urn}::${String(r.id)}`);
  }
  return problems;
}

/** Takes out of a state what differs from run to run: times (but for the step), ids of providers, order of equals. */
function normalised(raw: Obj, timeLabel: (t: string) => string): Checkpoint {
  const checkpoint = raw.checkpoint as Obj;
  const latest = (checkpoint.latest as Obj | undefined) ?? {};
  const secrets = latest.secrets_providers as { type?: string; state?: { salt?: string } } | undefined;
  const open = secrets?.state?.salt ? opener(secrets.state.salt) : (t: string) => t;
  const original = ((latest.resources as Obj[]) ?? []) as Obj[];
  const ids = new Map<string, string>();
  const count = new Map<string, number>();
  for (const r of original.filter(isProvider)) {
    const n = (count.get(String(r.urn)) ?? 0) + 1;
    count.set(String(r.urn), n);
    ids.set(`${String(r.urn)}::${String(r.id)}`, n === 1 ? "<provider-id>" : `<provider-id-${n}>`);
  }
  const one = (given: Obj): Obj => {
    const r = structuredClone(given);
    delete r.sourcePosition;
    delete r.stackTrace;
    for (const k of ["created", "modified"]) if (r[k]) r[k] = timeLabel(String(r[k]));
    if (isProvider(r)) r.id = ids.get(`${String(r.urn)}::${String(r.id)}`) as string;
    if (r.provider)
      r.provider = String(r.provider).replace(/::[^:]*$/, `::${ids.get(String(r.provider)) ?? "<unknown provider>"}`);
    if (r.dependencies) (r.dependencies as string[]).sort();
    for (const list of Object.values((r.propertyDependencies as Obj) ?? {})) (list as string[])?.sort();
    return sorted(openSecrets(r, open)) as Obj;
  };
  return {
    version: raw.version as number,
    stack: checkpoint.stack as string,
    ...(secrets?.type !== undefined && { secretsProvider: secrets.type }),
    resources: original.map(one).sort(byUrn),
    pendingOperations: ((latest.pending_operations as Obj[]) ?? [])
      .map((p) => ({ type: p.type as Json, resource: one(p.resource as Obj) }))
      .sort((a, b) => byUrn(a.resource, b.resource)),
  };
}

// ------------------------------------------------------------------------------------------------------------- calls

/** Calls of one resource in their order; calls of different resources may interleave. */
function callsOf(text: string): Record<string, Json[]> {
  const withoutCode = (v: Json): Json =>
    Array.isArray(v)
      ? v.map(withoutCode)
      : isObject(v)
        ? Object.fromEntries(
            Object.entries(v)
              .filter(([k]) => k !== "__provider")
              .map(([k, x]) => [k, withoutCode(x)]),
          )
        : v;
  const groups: Record<string, Json[]> = {};
  for (const line of text.split("\n").filter(Boolean)) {
    const call = sorted(withoutCode(JSON.parse(line) as Json)) as Obj;
    const name = String(call.name ?? "(provider)");
    groups[name] = [...(groups[name] ?? []), call];
  }
  groups["(provider)"]?.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return sorted(groups) as Record<string, Json[]>;
}

/** Drops the calls of resources that are only asked about, and only in one of two logs. */
function withoutQuestions(calls: Record<string, Json[]>, ...both: Record<string, Json[]>[]): void {
  for (const [name, list] of Object.entries(calls))
    if (
      !both.every((b) => name in b) &&
      list.every((c) => ["check", "diff", "configure"].includes(String((c as Obj).op)))
    )
      delete calls[name];
  delete calls["(provider)"];
}

// ------------------------------------------------------------------------------------------------------------- steps

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** A stack in a folder of its own, to run steps on. */
export class Replay {
  readonly root = fs.mkdtempSync(path.join(os.tmpdir(), "engine-recording-"));
  readonly program = path.join(this.root, "program");
  readonly state = path.join(this.root, "state");
  private readonly spans: { n: number; from: number }[] = [];

  constructor(
    readonly dir: string,
    private readonly open = openProject,
  ) {
    for (const d of [this.program, this.state, path.join(this.root, "home")]) fs.mkdirSync(d);
    for (const f of fs.readdirSync(dir))
      if (!/^\d\d+\.|^steps\.json$/.test(f)) fs.cpSync(path.join(dir, f), path.join(this.program, f));
    for (const f of ["provider.js", "resources.js"])
      fs.copyFileSync(path.join(FIXTURES, f), path.join(this.program, f));
    fs.writeFileSync(path.join(this.program, "package.json"), '{"private": true, "main": "index.js"}\n');
    const modules = path.join(this.program, "node_modules/@pulumi");
    fs.mkdirSync(modules, { recursive: true });
    fs.symlinkSync(path.join(ROOT, "node_modules/pulumi-newest"), path.join(modules, "pulumi"));
  }

  environment(step: RecordedStep): NodeJS.ProcessEnv {
    const clean = Object.fromEntries(
      Object.entries(process.env).filter(([k]) => !/^(PULUMI_|REC_|STAGE$|VITEST)/.test(k)),
    );
    return {
      ...clean,
      PULUMI_BACKEND_URL: `file://${this.state}`,
      PULUMI_HOME: path.join(this.root, "home"),
      PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
      PULUMI_SKIP_UPDATE_CHECK: "1",
      REC_LOG: this.log(step),
      REC_STEP: String(step.n),
      ...step.env,
    };
  }
  log(step: RecordedStep): string {
    return path.join(this.root, `calls.${step.n}`);
  }
  stateFile(stack: string): string {
    return path.join(this.state, ".pulumi/stacks/rec", `${stack}.json`);
  }

  prepare(step: RecordedStep): void {
    for (const [to, from] of Object.entries(step.files ?? {}))
      fs.copyFileSync(path.join(this.dir, from), path.join(this.program, to));
    this.spans.push({ n: step.n, from: Date.now() });
  }

  /** Runs a step with the engine in this process. */
  async runHere(step: RecordedStep): Promise<{ ok: boolean; result?: RunResult; said: string }> {
    const said: string[] = [];
    const args = (step.args ?? []).map((a) => a.replaceAll("{stack}", step.stack ?? "dev"));
    const of = (flag: string): string[] => args.flatMap((a, i) => (a === flag ? [args[i + 1] as string] : []));
    const has = (flag: string): boolean => args.includes(flag);
    try {
      const project = await this.open({ dir: this.program, env: this.environment(step) });
      const name = step.stack ?? "dev";
      if (step.verb === "init") {
        await project.initStack(name);
        return { ok: true, said: "" };
      }
      const stack = await project.openStack(name);
      if (step.verb === "cancel") {
        await stack.cancel();
        return { ok: true, said: "" };
      }
      if (step.verb === "state") {
        const [command, urn = ""] = args;
        if (command === "unprotect") await stack.state.unprotect(urn === "--all" ? "all" : [urn]);
        else if (command === "taint") await stack.state.taint([urn]);
        else if (command === "remove") await stack.state.delete(urn);
        else throw new Error(`the test does not know state ${command}`);
        return { ok: true, said: "" };
      }
      const result = await stack.run(step.verb === "up" ? "update" : step.verb, {
        // What the recordings were made with.
        parallel: 8,
        targets: of("--target"),
        excludes: of("--exclude"),
        replaces: of("--replace"),
        targetDependents: has("--target-dependents"),
        refresh: has("--refresh"),
        runProgram: has("--run-program"),
        expectNoChanges: has("--expect-no-changes"),
        clearPendingCreates: has("--clear-pending-creates"),
        onEvent: (e) => e.type === "diagnostic" && said.push(`${e.severity}: ${e.message}`),
      });
      return { ok: result.ok, result, said: said.join("\n") };
    } catch (error) {
      if (!(error instanceof Error && error.name === "EngineError")) throw error;
      return { ok: false, said: error.message };
    }
  }

  /** Runs a step with the Pulumi CLI. */
  async runCli(step: RecordedStep): Promise<{ ok: boolean; said: string }> {
    const stack = ["--stack", step.stack ?? "dev", "--color", "never"];
    const yes = step.verb === "preview" || step.verb === "init" ? [] : ["--yes"];
    const verb = step.verb === "init" ? ["stack", "init", "--no-select"] : [step.verb];
    const skip = ["up", "refresh", "destroy"].includes(step.verb) ? ["--skip-preview", "--parallel", "8"] : [];
    try {
      const { stdout, stderr } = await promisify(execFile)(
        "pulumi",
        [...verb, ...yes, ...skip, ...stack, ...(step.args ?? [])],
        { cwd: this.program, env: this.environment(step), maxBuffer: 1 << 26 },
      );
      return { ok: true, said: stdout + stderr };
    } catch (error) {
      return { ok: false, said: String((error as { stdout?: string }).stdout ?? error) };
    }
  }

  /** Runs a step with the engine in a process of its own, and kills that at the given call. */
  async runAndKill(step: RecordedStep): Promise<void> {
    const child = spawn(process.execPath, [DRIVER, step.verb, "--stack", step.stack ?? "dev", ...(step.args ?? [])], {
      cwd: this.program,
      env: this.environment(step),
      stdio: "ignore",
    });
    const ended = new Promise<void>((done) => child.once("exit", () => done()));
    const [op, name] = (step.killAt as string).split(":");
    for (;;) {
      const lines = fs.existsSync(this.log(step))
        ? fs.readFileSync(this.log(step), "utf8").split("\n").filter(Boolean)
        : [];
      if (lines.some((l) => (JSON.parse(l) as Obj).op === op && (JSON.parse(l) as Obj).name === name)) break;
      if (child.exitCode !== null) throw new Error(`the engine ended before ${step.killAt}`);
      await new Promise((r) => setTimeout(r, 50));
    }
    // Whatever else was running comes to its end.
    await new Promise((r) => setTimeout(r, 1500));
    const children = await childrenOf(child.pid as number);
    // Only the engine: what it started has to notice by itself.
    child.kill("SIGKILL");
    await ended;
    this.reviveLocks(step.stack ?? "dev");
    for (let i = 0; children.some(exists); i++) {
      if (i > 100) throw new Error(`processes outlived the engine: ${children.filter(exists).join(", ")}`);
      await new Promise((r) => setTimeout(r, 50));
    }
  }

  timeLabel = (t: string): string => {
    const hit = this.spans.findLast((s) => Date.parse(t) >= s.from);
    return hit ? `<step ${hit.n}>` : "<time>";
  };

  raw(stack: string): Obj | undefined {
    const file = this.stateFile(stack);
    return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, "utf8")) as Obj) : undefined;
  }
  checkpoint(stack: string): Checkpoint | undefined {
    const raw = this.raw(stack);
    return raw && normalised(raw, this.timeLabel);
  }
  locks(stack: string): number {
    const dir = path.join(this.state, ".pulumi/locks/organization/rec", stack);
    return fs.existsSync(dir) ? fs.readdirSync(dir).filter((f) => f.endsWith(".json")).length : 0;
  }
  /**
   * Makes this process the holder of the locks. The CLI cannot tell the lock of a process that is gone from another; the
   * engine can, and takes it over: to see it do the same as the CLI, the holder must live.
   */
  reviveLocks(stack: string): void {
    const dir = path.join(this.state, ".pulumi/locks/organization/rec", stack);
    for (const name of fs.readdirSync(dir)) {
      const lock = JSON.parse(fs.readFileSync(path.join(dir, name), "utf8")) as Obj;
      fs.writeFileSync(path.join(dir, name), JSON.stringify({ ...lock, ...currentProcess() }));
    }
  }
  history(stack: string): string[] {
    const dir = path.join(this.state, ".pulumi/history/rec", stack);
    return fs.existsSync(dir)
      ? fs
          .readdirSync(dir)
          .filter((f) => f.endsWith(".history.json"))
          .sort()
      : [];
  }
  historyEntry(stack: string, name: string): Obj {
    return JSON.parse(fs.readFileSync(path.join(this.state, ".pulumi/history/rec", stack, name), "utf8")) as Obj;
  }
  /** Gives resources the property dependencies they have in a recording. */
  adoptDependencies(stack: string, wanted: Checkpoint): void {
    const raw = this.raw(stack) as { checkpoint: { latest: { resources: Obj[] } } };
    for (const r of raw.checkpoint.latest.resources) {
      const like = wanted.resources.find((w) => w.urn === r.urn)?.propertyDependencies;
      if (like !== undefined) r.propertyDependencies = like;
    }
    fs.writeFileSync(this.stateFile(stack), JSON.stringify(raw));
  }
  remove(): void {
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}

/** All processes below one, by what the kernel says. */
export async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid="]);
  const pairs = stdout
    .trim()
    .split("\n")
    .map((l) => l.trim().split(/\s+/).map(Number) as [number, number]);
  const below = (p: number): number[] => pairs.filter(([, parent]) => parent === p).flatMap(([c]) => [c, ...below(c)]);
  return below(pid);
}

const keyed = (list: Obj[]): Record<string, Obj> => {
  const out: Record<string, Obj> = {};
  for (const r of list) {
    let key = `${String(r.urn).split("::").slice(2).join("::")}${r.delete ? " (delete)" : ""}`;
    while (key in out) key += "+";
    out[key] = r;
  }
  return out;
};

/** The CLI keeps an interrupted creation pending until a `refresh`, this engine until it has been repeated. */
const withoutDone = (state: Checkpoint): Checkpoint => {
  const done = new Set(state.resources.filter((r) => !r.delete).map((r) => r.urn));
  const pendingOperations = state.pendingOperations.filter(
    ({ type, resource }) => type !== "creating" || !done.has((resource as Obj).urn as string),
  );
  return { ...state, pendingOperations };
};

interface ReplayOptions {
  open?: typeof openProject | undefined;
  refused?: Record<number, string>;
  leaveOut?: number[];
  alternate?: boolean;
}

/** True if there is a Pulumi CLI on PATH. */
export const hasCli = (process.env.PATH ?? "")
  .split(path.delimiter)
  .some((d) => d !== "" && fs.existsSync(path.join(d, "pulumi")));

/**
 * Declares the tests of a scenario: one per step, since each builds on the ones before.
 *
 * @param open the engine: by default one whose processes are used again
 * @param alternate every other step is run by the CLI
 * @param leaveOut steps whose outcome depends on which of two independent resources registers first
 * @param refused steps that the engine refuses where the CLI failed half way, by number, with what it says: then
 *   nothing is changed, where the CLI had already brought the property dependencies of some resources up to date
 */
export function replay(scenario: string, options: ReplayOptions = {}): void {
  const { open = openProject, refused = {}, leaveOut = [], alternate = false } = options;
  const dir = path.join(FIXTURES, scenario);
  const steps = JSON.parse(fs.readFileSync(path.join(dir, "steps.json"), "utf8")) as RecordedStep[];
  describe(`recording ${scenario}`, { sequential: true }, () => {
    const replay = new Replay(dir, open);
    afterAll(() => replay.remove());
    let broken = "";
    for (const step of steps.filter((s) => !leaveOut.includes(s.n)))
      test(`${String(step.n).padStart(2, "0")} ${step.verb} ${(step.args ?? []).join(" ")} ${step.note ?? ""}`.trim(), async () => {
        expect(broken, "a step before this one failed").toBe("");
        broken = `step ${step.n}`;
        const stack = step.stack ?? "dev";
        const file = (s: string): string => path.join(dir, `${String(step.n).padStart(2, "0")}.${s}`);
        const before = replay.history(stack);
        replay.prepare(step);
        let outcome: Awaited<ReturnType<Replay["runHere"]>> | undefined;
        if (step.killAt) await replay.runAndKill(step);
        else {
          if (step.locks > 0) replay.reviveLocks(stack);
          outcome = alternate && step.n % 2 === 1 ? await replay.runCli(step) : await replay.runHere(step);
          expect(outcome.ok, outcome.said).toBe(step.exitCode === 0);
        }
        const refusal = refused[step.n];
        if (refusal !== undefined) {
          expect(outcome?.said).toContain(refusal);
          replay.adoptDependencies(stack, JSON.parse(fs.readFileSync(file("checkpoint.json"), "utf8")) as Checkpoint);
        }
        const got = replay.checkpoint(stack);
        expect(
          orderProblems(((replay.raw(stack)?.checkpoint as Obj)?.latest as { resources?: Obj[] })?.resources ?? []),
        ).toEqual([]);
        const unstable = step.unstable ?? [];
        const wanted = fs.existsSync(file("checkpoint.json"))
          ? (JSON.parse(fs.readFileSync(file("checkpoint.json"), "utf8")) as Checkpoint & { orderProblems?: unknown })
          : undefined;
        if (wanted !== undefined && !unstable.includes("state")) {
          delete wanted.orderProblems;
          const view = (c: Checkpoint | undefined) => c && { ...c, resources: keyed(c.resources) };
          expect(sorted(view(got && withoutDone(got)) as unknown as Json)).toEqual(
            sorted(view(withoutDone(wanted)) as unknown as Json),
          );
        }
        if (!unstable.includes("calls") && refusal === undefined) {
          const log = fs.existsSync(replay.log(step)) ? fs.readFileSync(replay.log(step), "utf8") : "";
          const [got, want] = [callsOf(log), callsOf(fs.readFileSync(file("calls.jsonl"), "utf8"))];
          // What happened to be asked before something failed depends on the order in which registrations arrive.
          if (step.exitCode !== 0) for (const calls of [got, want]) withoutQuestions(calls, got, want);
          expect(got).toEqual(want);
        }
        expect(replay.locks(stack)).toBe(step.locks);
        // How much was done when something failed depends on what happened to be under way.
        if (step.exitCode === 0 && !unstable.includes("state")) {
          if (step.resourceChanges !== undefined && outcome?.result !== undefined)
            expect(outcome?.result?.changes).toEqual(step.resourceChanges);
        }
        const added = replay.history(stack).filter((n) => !before.includes(n));
        expect(added.length).toBe(step.history === undefined ? 0 : 1);
        if (step.history !== undefined) {
          const entry = replay.historyEntry(stack, added[0] as string);
          expect({ kind: entry.kind, result: entry.result }).toEqual({
            kind: step.history.kind,
            result: step.history.result,
          });
          if (step.exitCode === 0 && !unstable.includes("state"))
            expect(entry.resourceChanges ?? {}).toEqual(step.history.resourceChanges ?? {});
        }
        broken = "";
      }, 120_000);
  });
}
