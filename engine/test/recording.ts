/**
 * Replays what the Pulumi CLI did with small programs, step by step, and compares: the state it left, the provider
 * calls it made, how it ended, what it counted, its history and its locks. See recordings/README.md.
 */
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { spread } from "../../test/chance";
import { temporaryFolder } from "../../test/files";
import type { RunResult } from "../index";
import { SIG_KEY, SignatureKind } from "../resource/signatures";
import type { Crypter } from "../secrets/crypter";
import { openProject, requireWarm } from "./warm-processes";

const ROOT = path.join(__dirname, "../..");
const FIXTURES = path.join(__dirname, "recordings");
const PASSPHRASE = "correct-horse";

interface RecordedStep {
  n: number;
  verb: "init" | "preview" | "up" | "refresh" | "destroy" | "cancel" | "state";
  args?: string[];
  env: Record<string, string>;
  stack?: string;
  files?: Record<string, string>;
  /** "op:name": the engine was killed after this call began. */
  killAt?: string;
  note?: string;
  exitCode: number | string;
  resourceChanges?: Record<string, number>;
  history?: { kind: string; result: string; resourceChanges?: Record<string, number> };
  locks: number;
  /** Differences between two recordings of the CLI itself. */
  unstable?: string[];
}

// biome-ignore lint/suspicious/noExplicitAny: it is compared, whatever it is
type Json = any;

const readJson = (file: string): Json => JSON.parse(fs.readFileSync(file, "utf8"));
const filesIn = (folder: string, end = ".json"): string[] =>
  fs.existsSync(folder) ? fs.readdirSync(folder).flatMap((f) => (f.endsWith(end) ? path.join(folder, f) : [])) : [];

/** The value with all its objects changed, the outermost first. */
const changeObjects = (v: Json, change: (o: Json) => Json): Json => {
  if (Array.isArray(v)) return v.map((x) => changeObjects(x, change));
  if (v === null || typeof v !== "object") return v;
  return Object.fromEntries(Object.entries(change(v)).map(([k, x]) => [k, changeObjects(x, change)]));
};

const isProvider = (r: Json): boolean => r.type.startsWith("pulumi:providers:");

/** References to later resources, and other violations of the CLI's rules for a state. */
export function orderProblems(resources: Json[]): string[] {
  const seen = new Set<string>();
  return resources.flatMap((r) => {
    const { urn, dependencies = [], replaceWith = [], propertyDependencies = {} } = r;
    const references = [r.parent, r.deletedWith, ...dependencies, ...replaceWith]
      .concat(r.pendingReplacement ? [] : r.provider, Object.values(propertyDependencies).flat())
      .filter(Boolean);
    const problems = references.filter((ref) => !seen.has(ref)).map((ref) => `${urn}: ${ref} is not earlier`);
    if (!r.custom && r.id) problems.push(`${urn}: has an id but is not custom`);
    if (!r.delete && seen.has(`live ${urn}`)) problems.push(`${urn}: more than one live entry`);
    for (const name of [urn, !r.delete && `live ${urn}`, isProvider(r) && `${urn}::${r.id}`]) if (name) seen.add(name);
    return problems;
  });
}

/** By their salts: a key takes a fifth of a second, and many steps have the same one. */
const crypters = new Map<string, Crypter>();

function crypterOf(salt: string): Crypter {
  const crypter = crypters.get(salt) ?? requireWarm("engine/secrets/crypter").Crypter.lazy(PASSPHRASE, salt);
  crypters.set(salt, crypter);
  return crypter;
}

/** Removes what differs between runs from a state: times (except that of the step), ids of providers, the order of equal resources. */
function normalise({ version, checkpoint: { stack, latest = {} } }: Json, labelOf: (time: string) => string) {
  const { resources = [], pending_operations = [], secrets_providers: secrets } = latest;
  // A ciphertext differs in every run: the comparison is by its value, and by whether it is a secret.
  const openSecret = (o: Json) =>
    o[SIG_KEY] === SignatureKind.secret && typeof o.ciphertext === "string"
      ? { [SIG_KEY]: SignatureKind.secret, value: JSON.parse(crypterOf(secrets?.state?.salt).decrypt(o.ciphertext)) }
      : o;
  const ids = new Map<string, string>();
  for (const { urn, id } of resources.filter(isProvider)) {
    const before = [...ids.keys()].filter((reference) => reference.startsWith(`${urn}::`)).length;
    ids.set(`${urn}::${id}`, before === 0 ? "<provider-id>" : `<provider-id-${before + 1}>`);
  }
  const one = (value: Json): Json => {
    const r = changeObjects(value, openSecret);
    delete r.sourcePosition;
    delete r.stackTrace;
    for (const k of ["created", "modified"]) if (r[k]) r[k] = labelOf(r[k]);
    if (isProvider(r)) r.id = ids.get(`${r.urn}::${r.id}`);
    r.provider &&= r.provider.replace(/::[^:]*$/, `::${ids.get(r.provider) ?? "<unknown provider>"}`);
    for (const list of [r.dependencies, ...Object.values(r.propertyDependencies ?? {})]) (list as Json)?.sort();
    return r;
  };
  return inOrder({
    version,
    stack,
    secretsProvider: secrets?.type,
    orderProblems: orderProblems(resources),
    resources: resources.map(one),
    pendingOperations: pending_operations.map(({ type, resource }: Json) => ({ type, resource: one(resource) })),
  });
}

/**
 * Resources in the order of their URNs. The CLI keeps an interrupted creation pending until a `refresh`, this engine until it has been
 * repeated, so such creates are left out.
 */
function inOrder(state: Json): Json {
  const key = (r: Json) => `${r.urn} ${r.delete ? 1 : 0}`;
  const compare = (a: Json, b: Json) => (key(a) < key(b) ? -1 : 1);
  const live = new Set(state.resources.flatMap((r: Json) => (r.delete ? [] : r.urn)));
  return {
    ...state,
    resources: state.resources.sort(compare),
    pendingOperations: state.pendingOperations
      .filter(({ type, resource }: Json) => type !== "creating" || !live.has(resource.urn))
      .sort((a: Json, b: Json) => compare(a.resource, b.resource)),
  };
}

type Calls = Record<string, Json[]>;
const PROVIDER = "(provider)";

/** Calls of one resource in their order; calls of different resources may interleave. */
function callsOf(file: string): Calls {
  const groups: Calls = {};
  for (const line of fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n").filter(Boolean) : []) {
    const call = changeObjects(JSON.parse(line), ({ __provider: _, ...rest }) => rest);
    groups[call.name ?? PROVIDER] = [...(groups[call.name ?? PROVIDER] ?? []), call];
  }
  groups[PROVIDER]?.sort((a, b) => String(a.apiKey).localeCompare(String(b.apiKey)));
  return groups;
}

/** Drops the calls for resources that only have queries, and only in one of two logs. */
const withoutQuestions = (calls: Calls, other: Calls): Calls =>
  Object.fromEntries(
    Object.entries(calls).filter(
      ([name, list]) =>
        name !== PROVIDER && (name in other || !list.every(({ op }) => ["check", "diff", "configure"].includes(op))),
    ),
  );

interface Outcome {
  ok?: boolean;
  said?: string;
  result?: RunResult | undefined;
}

/** A stack in a folder of its own, to run steps on. */
class Replay {
  readonly #root = temporaryFolder();
  readonly #program = path.join(this.#root, "program");
  readonly #state = path.join(this.#root, "state");
  readonly #starts: { n: number; from: number }[] = [];

  readonly #dir: string;
  readonly #options: ReplayOptions;

  constructor(dir: string, options: ReplayOptions) {
    this.#dir = dir;
    this.#options = options;
    const modules = path.join(this.#program, "node_modules/@pulumi");
    for (const d of [modules, this.#state, path.join(this.#root, "home")]) fs.mkdirSync(d, { recursive: true });
    for (const f of fs.readdirSync(dir))
      if (!/^\d\d\.|^steps\.json$/.test(f)) fs.cpSync(path.join(dir, f), path.join(this.#program, f));
    for (const f of ["provider.js", "resources.js"]) fs.cpSync(path.join(FIXTURES, f), path.join(this.#program, f));
    fs.writeFileSync(path.join(this.#program, "package.json"), '{"private": true, "main": "index.js"}\n');
    fs.symlinkSync(path.join(ROOT, "node_modules/pulumi-newest"), path.join(modules, "pulumi"));
  }

  #environment(step: RecordedStep): NodeJS.ProcessEnv {
    const own = ([name]: [string, unknown]) => !/^(PULUMI_|REC_|STAGE$|VITEST)/.test(name);
    return {
      ...Object.fromEntries(Object.entries(process.env).filter(own)),
      PULUMI_BACKEND_URL: `file://${this.#state}`,
      PULUMI_HOME: path.join(this.#root, "home"),
      PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
      PULUMI_SKIP_UPDATE_CHECK: "1",
      REC_LOG: this.#log(step),
      REC_STEP: String(step.n),
      ...step.env,
    };
  }
  #log = ({ n }: RecordedStep): string => path.join(this.#root, `calls.${n}`);
  #folder = (kind: string, { stack = "dev" }: RecordedStep): string =>
    path.join(this.#state, ".pulumi", kind, "rec", stack);

  #checkpoint(step: RecordedStep): Json {
    const labelOf = (time: string) => `<step ${this.#starts.findLast(({ from }) => Date.parse(time) >= from)?.n}>`;
    return normalise(readJson(`${this.#folder("stacks", step)}.json`), labelOf);
  }

  /** Runs a step with the engine in this process. */
  async #runHere(step: RecordedStep): Promise<Outcome> {
    const said: string[] = [];
    try {
      const result = await this.#call(step, said);
      return { ok: result?.ok ?? true, result, said: said.join("\n") };
    } catch (error) {
      if (!(error instanceof Error && error.name === "EngineError")) throw error;
      return { ok: false, said: error.message };
    }
  }

  async #call(step: RecordedStep, said: string[]): Promise<RunResult | undefined> {
    const { verb, stack: name = "dev" } = step;
    const args = (step.args ?? []).map((a) => a.replaceAll("{stack}", name));
    const of = (flag: string): string[] => args.flatMap((a, i) => (a === flag ? [args[i + 1] as string] : []));
    const project = await (this.#options.open ?? openProject)({ dir: this.#program, env: this.#environment(step) });
    if (verb === "init") return void (await project.initStack(name));
    const stack = await project.openStack(name);
    if (verb === "cancel") return void (await stack.cancel());
    if (verb === "state") {
      const [command, urn = ""] = args;
      if (command === "unprotect") await stack.state.unprotect(urn === "--all" ? "all" : [urn]);
      else await (command === "taint" ? stack.state.taint([urn]) : stack.state.delete(urn));
      return undefined;
    }
    return stack.run(verb === "up" ? "update" : verb, {
      // The value with which the recordings were made.
      parallel: 8,
      targets: of("--target"),
      excludes: of("--exclude"),
      replaces: of("--replace"),
      targetDependents: args.includes("--target-dependents"),
      refresh: args.includes("--refresh"),
      runProgram: args.includes("--run-program"),
      expectNoChanges: args.includes("--expect-no-changes"),
      clearPendingCreates: args.includes("--clear-pending-creates"),
      onEvent: (e) => e.type === "diagnostic" && said.push(`${e.severity}: ${e.message}`),
    });
  }

  /** Runs a step with the Pulumi CLI. */
  async #runCli(step: RecordedStep): Promise<Outcome> {
    const words = { init: ["stack", "init", "--no-select"], preview: ["preview"] };
    const { [step.verb as "init"]: verb = [step.verb, "--yes", "--skip-preview", "--parallel", "8"] } = words;
    const args = [...verb, "--stack", step.stack ?? "dev", "--color", "never", ...(step.args ?? [])];
    const options = { cwd: this.#program, env: this.#environment(step), maxBuffer: 1 << 26 };
    return promisify(execFile)("pulumi", args, options).then(
      () => ({ ok: true }),
      (error) => ({ ok: false, said: error.stdout ?? String(error) }),
    );
  }

  /** Runs a step until a call that gets no response, and keeps the files, including the lock, as a kill at that moment leaves them. */
  async #runAndKill(step: RecordedStep, wanted: Json): Promise<Outcome> {
    const run = this.#runHere(step);
    const [op, name = ""] = (step.killAt as string).split(":");
    const timeout = 30_000;
    await vi.waitUntil(() => callsOf(this.#log(step))[name]?.some((call) => call.op === op), { timeout });
    // All other operations complete.
    const isSettled = () => isDeepStrictEqual(this.#checkpoint(step), wanted);
    const patience = step.unstable?.includes("state") ? 1500 : timeout;
    await vi.waitUntil(isSettled, { timeout: patience }).catch(() => undefined);
    const calls = fs.readFileSync(this.#log(step));
    const left = path.join(this.#root, "left");
    fs.cpSync(this.#state, left, { recursive: true });
    fs.writeFileSync(`${this.#log(step)}.end`, "");
    await run;
    fs.rmSync(this.#state, { recursive: true });
    fs.renameSync(left, this.#state);
    fs.writeFileSync(this.#log(step), calls);
    return {};
  }

  /** If the CLI failed midway, it had already updated the property dependencies of some resources. */
  #adoptDependencies(step: RecordedStep, wanted: Json): void {
    const file = `${this.#folder("stacks", step)}.json`;
    const raw = readJson(file);
    for (const r of raw.checkpoint.latest.resources)
      r.propertyDependencies = wanted.resources.find(({ urn }: Json) => urn === r.urn)?.propertyDependencies;
    fs.writeFileSync(file, JSON.stringify(raw));
  }

  async step(step: RecordedStep): Promise<void> {
    const { alternate, refused = {} } = this.#options;
    const label = `${step.n} ${step.verb} ${step.note ?? ""}`;
    const recorded = path.join(this.#dir, String(step.n).padStart(2, "0"));
    const wanted = inOrder(readJson(`${recorded}.checkpoint.json`));
    const history = () => filesIn(this.#folder("history", step), ".history.json").sort();
    const before = history();
    for (const [to, from] of Object.entries(step.files ?? {}))
      fs.copyFileSync(path.join(this.#dir, from), path.join(this.#program, to));
    this.#starts.push({ n: step.n, from: Date.now() });

    const run = alternate && step.n % 2 === 1 ? this.#runCli : this.#runHere;
    const { ok, said, result } = await (step.killAt ? this.#runAndKill(step, wanted) : run.call(this, step));
    expect(ok, `${label}: ${said}`).toBe(step.killAt ? undefined : step.exitCode === 0);
    const refusal = refused[step.n];
    if (refusal !== undefined) {
      expect(said, label).toContain(refusal);
      this.#adoptDependencies(step, wanted);
    }
    const isStable = !step.unstable?.includes("state");
    const state = this.#checkpoint(step);
    expect(state.orderProblems, label).toEqual([]);
    if (isStable) expect(state, label).toEqual(wanted);
    if (!step.unstable?.includes("calls") && refusal === undefined) {
      const [got, want] = [callsOf(this.#log(step)), callsOf(`${recorded}.calls.jsonl`)];
      // Which queries precede a failure depends on the order in which registrations arrive.
      if (step.exitCode === 0) expect(got, label).toEqual(want);
      else expect(withoutQuestions(got, want), label).toEqual(withoutQuestions(want, got));
    }
    expect(filesIn(this.#folder("locks/organization", step)).length, label).toBe(step.locks);
    // How many steps precede a failure depends on the operations in progress.
    const isCounted = step.exitCode === 0 && isStable;
    if (isCounted && step.resourceChanges && result) expect(result.changes, label).toEqual(step.resourceChanges);
    const entry = ({ kind, result, resourceChanges: counts = {} }: Json) => ({
      kind,
      result,
      counts: isCounted && counts,
    });
    const added = history().flatMap((file) => (before.includes(file) ? [] : entry(readJson(file))));
    expect(added, label).toEqual(step.history ? [entry(step.history)] : []);
  }
}

interface ReplayOptions {
  open?: typeof openProject | undefined;
  refused?: Record<number, string>;
  leaveOut?: number[];
  alternate?: boolean;
}

/** True if there is a Pulumi CLI on PATH. */
export const hasCli = (process.env.PATH ?? "").split(path.delimiter).some((d) => fs.existsSync(path.join(d, "pulumi")));

/**
 * Declares the test of a scenario, whose steps build on each other.
 *
 * @param open the engine: by default one whose processes are used again
 * @param alternate every other step is run by the CLI
 * @param leaveOut steps whose outcome depends on which of two independent resources registers first
 * @param refused by number, the steps that the engine rejects and the CLI fails midway, with the engine's message; they change nothing
 */
export function replay(scenario: string, options: ReplayOptions = {}): void {
  const dir = path.join(FIXTURES, scenario);
  const steps: RecordedStep[] = readJson(path.join(dir, "steps.json"));
  const stateAfter = ({ n }: RecordedStep): Json =>
    readJson(path.join(dir, `${String(n).padStart(2, "0")}.checkpoint.json`));
  // What changes nothing for the steps after it: previews, and runs without changes.
  const idle = steps.filter((step, i) => {
    const before = steps[i - 1];
    if (before === undefined || before.stack !== step.stack || step.files !== undefined) return false;
    if (step.exitCode !== 0) return false;
    return /^(preview|up|refresh)$/.test(step.verb) && isDeepStrictEqual(stateAfter(step), stateAfter(before));
  });
  const leftOut = options.alternate ? [] : idle.filter((step) => !spread(idle, 2).includes(step));
  test(`recording ${scenario}`, { timeout: 600_000 }, async () => {
    const stack = new Replay(dir, options);
    for (const step of steps)
      if (!leftOut.includes(step) && !options.leaveOut?.includes(step.n)) await stack.step(step);
  });
}
