/**
 * Runs one operation on a stack: brings together the state, the configuration, the program and the providers, and
 * leaves everything behind as the CLI would.
 */
import { cpus } from "node:os";
import path from "node:path";
import { removeRemains } from "../disk/durable-file";
import type { LockInfo, RunOptions } from "./api";
import { builtinProvider } from "./builtin";
import { openDeployment } from "./checkpoint";
import { historyConfig, resolve, type Settings, secretTexts } from "./config";
import { Deferred } from "./deferred";
import { Deployment } from "./deployment";
import { EngineError, messageOf } from "./errors";
import type { EngineEvent, Operation, RunResult } from "./events";
import { DependencyGraph } from "./graph";
import { describeLock } from "./lock";
import { keepHeapSmall } from "./memory";
import { Monitor } from "./monitor";
import { parsePath } from "./paths";
import { Planner } from "./planner";
import { PrintedErrors } from "./printed-errors";
import { startProgram } from "./program";
import { Providers } from "./providers";
import { Scrubber } from "./scrub";
import { compilerHint, findSdk, loadSdk } from "./sdk";
import { Snapshot } from "./snapshot";
import type { StackHandle } from "./stack";
import { interruptedIn, type ResourceState, type Deployment as State } from "./state";
import { Targets } from "./targets";
import { withoutForeignFrames } from "./traces";
import { isProviderType } from "./urn";
import { redactMap, secret, type ValueMap } from "./values";

export async function runOperation(stack: StackHandle, operation: Operation, options: RunOptions): Promise<RunResult> {
  const preview = operation === "preview" || options.preview === true;
  keepHeapSmall();
  refuseContradictions(operation, options);
  // Before anything is touched: is there an SDK we know, is the state one we know?
  const found = findSdk(stack.settings.programDirectory);
  const lock = preview ? undefined : await stack.store.locks(stack.name).take(stack.name);
  try {
    if (lock?.removed.length) {
      const file = stack.store.stackFile(stack.name);
      for (const one of [file, `${file}.bak`]) await removeRemains(one);
    }
    return await run(stack, operation, preview, options, found, lock?.removed ?? []);
  } finally {
    await lock?.release();
  }
}

function refuseContradictions(operation: Operation, o: RunOptions): void {
  const given = (list: string[] | undefined): boolean => (list?.length ?? 0) > 0;
  const bad = (what: string): never => {
    throw new EngineError(what, "invalid");
  };
  if (given(o.targets) && given(o.excludes))
    bad("targets and excludes cannot be given together: choose what to do, or what to leave out");
  if (o.targetDependents && !given(o.targets) && !given(o.replaces)) bad("--target-dependents needs --target");
  if (o.excludeDependents && !given(o.excludes)) bad("--exclude-dependents needs --exclude");
  if (o.excludeProtected && operation !== "destroy") bad("--exclude-protected belongs to destroy");
  if (o.excludeProtected && given(o.targets))
    bad("--target and --exclude-protected cannot be given together: choose what to do, or what to leave out");
  if (given(o.replaces) && (operation === "refresh" || operation === "destroy"))
    bad(`--replace makes no sense for ${operation}`);
  if (o.clearPendingCreates && operation !== "refresh") bad("--clear-pending-creates belongs to refresh");
  if (o.runProgram && (operation === "update" || operation === "preview"))
    bad(`--run-program is for refresh and destroy; ${operation} always runs the program`);
  for (const t of [...(o.targets ?? []), ...(o.excludes ?? []), ...(o.replaces ?? [])])
    if (!t.startsWith("urn:") && !t.includes("*"))
      bad(`${JSON.stringify(t)} is no URN: write it as \`stack resources --json\` shows it, or with * and **`);
}

async function run(
  stack: StackHandle,
  operation: Operation,
  preview: boolean,
  options: RunOptions,
  found: ReturnType<typeof findSdk>,
  removedLocks: readonly LockInfo[],
): Promise<RunResult> {
  const startTime = Date.now();
  // Not by the machine's clock, which may be put back.
  const begin = performance.now();
  const { settings } = stack;
  const kind = operation === "preview" ? "update" : operation;
  const parallel = Math.max(1, options.parallel ?? 4 * cpus().length);
  const scrubber = new Scrubber();
  // Values are marked where they are secret. What the configuration keeps secret is hidden wherever it went.
  const configured = new Scrubber();
  const shown = (event: EngineEvent): EngineEvent => {
    if (event.type === "diagnostic") {
      const { source, message } = event;
      const hint = source === "program" ? compilerHint(message, found.directory, settings.programDirectory) : "";
      return {
        ...event,
        message: scrubber.scrub(source === "engine" ? message : withoutForeignFrames(message) + hint),
      };
    }
    if (event.type !== "step" || options.showSecrets === true) return event;
    const { diffs, inputs } = event.step;
    return {
      ...event,
      step: { ...event.step, ...configured.scrubAll({ ...(diffs && { diffs }), ...(inputs && { inputs }) }) },
    };
  };
  const printedErrors = new PrintedErrors();
  const emit = (event: EngineEvent): void => {
    if (event.type === "diagnostic" && event.severity === "error") printedErrors.tell(event.message);
    const told = shown(event);
    // A line of a stack trace that is not the user's is none at all, nor is an empty one.
    if (told.type === "diagnostic" && told.severity === "info" && told.message === "") return;
    options.onEvent?.(told);
  };

  const checkpoint = await stack.store.load(stack.name);
  const file = await stack.file();
  const opening = stack.keyring.open(checkpoint, file, !preview);
  opening.catch(() => undefined);
  // The key is made in another thread while the libraries load in this one.
  const sdk = loadSdk(found);
  const { codec, config: crypter } = await opening;
  const state = openDeployment(checkpoint.latest, codec);
  const disclosed = (options.disclosed ?? []).flatMap((path) => [parsePath(path) ?? []]);
  for (const r of state.resources) for (const path of disclosed) scrubber.spare(r.outputs, path);
  for (const r of state.resources) {
    scrubber.add(r.inputs);
    scrubber.add(r.outputs);
  }
  const runsProgram = kind === "update" || options.runProgram === true;
  const values = file.values();
  const values_ = (): Settings =>
    resolve({
      project: settings.name,
      stack: stack.name,
      values,
      declarations: settings.declarations,
      crypter,
      extra: options.config,
    });
  const config: Settings = runsProgram ? values_() : new Map();
  for (const s of config.values()) if (s.secret) scrubber.addText(s.text);
  if (crypter !== undefined)
    for (const text of secretTexts(values.values(), crypter)) {
      scrubber.addLines(text);
      configured.addText(text);
    }

  emit({ type: "start", operation, preview, project: settings.name, stack: stack.name, sdkVersion: sdk.version });
  for (const lock of removedLocks)
    emit({
      type: "diagnostic",
      severity: "warning",
      source: "engine",
      message: `taken over from a run that ended without releasing its lock: ${describeLock(lock)}`,
    });
  if (options.clearPendingCreates)
    state.pendingOperations = state.pendingOperations.filter((p) => p.type !== "creating");
  const refresh = options.refresh ?? settings.refreshAlways;
  const refreshes = kind === "refresh" || refresh;
  if (!refreshes && !preview) warnOfInterrupted(state, kind, emit);

  const env: NodeJS.ProcessEnv = { ...stack.env, ...options.env };
  const onLine = (source: "program" | "provider") => (line: string, stream: "stdout" | "stderr") => {
    const isStderr = stream === "stderr";
    if (source === "provider" && isStderr && printedErrors.waits(line)) return;
    emit({ type: "diagnostic", severity: "info", message: line, source, ...(isStderr && { stderr: true }) });
  };
  const address = new Deferred<string>();
  const providers = new Providers(
    {
      sdk,
      project: settings.name,
      programDirectory: settings.programDirectory,
      env,
      engineAddress: address.promise,
      onLine: onLine("provider"),
    },
    preview,
    builtinProvider(settings.name, async (name) => {
      const other = await stack.project.openStack(name);
      return (other as StackHandle).rawOutputs();
    }),
  );
  const kept = options.excludeProtected ? neededByProtected(state.resources) : [];
  if (kept.length > 0)
    emit({
      type: "diagnostic",
      severity: "info",
      source: "engine",
      message: `what is protected stays, and what that needs to exist: ${kept.length} of ${state.resources.length} resources`,
    });
  const planner = new Planner(
    {
      stack: stack.name,
      project: settings.name,
      dryRun: preview,
      mode: kind,
      refresh: kind === "refresh" && runsProgram,
      interrupted: interruptedIn(state),
      targets: new Targets(options.targets),
      targetDependents: options.targetDependents === true,
      excludes: new Targets([...(options.excludes ?? []), ...kept]),
      excludeDependents: options.excludeDependents === true,
      replaces: new Targets(options.replaces),
      report: (severity, urn, message) =>
        emit({ type: "diagnostic", severity, message, source: "engine", ...(urn !== "" && { urn }) }),
    },
    state.resources,
  );
  const writer = preview ? undefined : stack.store.writer(stack.name, checkpoint, codec);
  const snapshot: Snapshot = new Snapshot(state, writer, () => deployment.busy);
  let startTheProgram: (() => { result: ReturnType<typeof startProgram>["result"]; kill: () => void }) | undefined;
  const deployment: Deployment = new Deployment({
    operation: kind,
    dryRun: preview,
    parallel,
    refreshFirst: refreshes && !(kind === "refresh" && runsProgram),
    program: runsProgram ? () => (startTheProgram as NonNullable<typeof startTheProgram>)() : undefined,
    continueOnError: options.continueOnError === true,
    planner,
    snapshot,
    providers,
    defaultProviderInputs: (pkg) => providerInputs(pkg, config),
    targets: { replaces: options.replaces ?? [], targets: options.targets ?? [], excludes: options.excludes ?? [] },
    showSecrets: options.showSecrets === true,
    signal: options.signal,
    emit,
    hide: (v) => scrubber.add(v),
    prepare: async () => codec.crypter?.ready(),
  });
  const monitor = new Monitor({
    sdk,
    project: settings.name,
    stack: stack.name,
    projectDirectory: settings.directory,
    programDirectory: settings.programDirectory,
    dryRun: preview,
    parallel,
    registrar: deployment.registrations,
    listener: deployment,
  });
  let result: Awaited<ReturnType<Deployment["run"]>>;
  try {
    const at = await monitor.listen();
    address.resolve(at);
    startTheProgram = () => {
      const program = startProgram({
        sdk,
        project: settings,
        stack: stack.name,
        settings: config,
        dryRun: preview,
        parallel,
        typeCheck: options.typeCheck === true,
        env,
        address: at,
        onLine: onLine("program"),
      });
      return { result: program.result, kill: program.child.kill };
    };
    if (runsProgram || state.resources.some((r) => r.custom && !isProviderType(r.type) && !r.external))
      providers.prepare();
    result = await deployment.run();
  } finally {
    await providers.close();
    monitor.close();
    for (const message of printedErrors.rest())
      emit({ type: "diagnostic", severity: "info", message, source: "provider", stderr: true });
  }

  let ok = result.ok;
  const changed = Object.entries(result.changes).some(([op, n]) => op !== "same" && (n ?? 0) > 0);
  if (ok && options.expectNoChanges && changed) {
    ok = false;
    emit({
      type: "diagnostic",
      severity: "error",
      message: "no changes were expected, but there are some",
      source: "engine",
    });
  }
  if (!preview && result.saved) await record(stack, kind, startTime, result, options, historyConfig(values), emit);
  const printable = (values: ValueMap): Record<string, unknown> =>
    options.showSecrets === true ? redactMap(values, true) : configured.scrubAll(redactMap(values));
  const outputs = printable(result.stackOutputs.after);
  emit({ type: "outputs", outputs, before: printable(result.stackOutputs.before) });
  const end: RunResult = {
    operation,
    preview,
    ok,
    cancelled: result.cancelled,
    changes: result.changes,
    durationMs: Math.round(performance.now() - begin),
    outputs,
    stateWrites: snapshot.writes,
  };
  emit({ type: "end", result: end });
  return end;
}

/** The URNs of what is protected, and of all that it needs. */
function neededByProtected(resources: readonly ResourceState[]): string[] {
  const graph = new DependencyGraph(resources);
  const kept = resources.filter((r) => r.protect).flatMap((r) => [r, ...graph.transitiveDependenciesOf(r)]);
  return [...new Set(kept.map((r) => r.urn))];
}

/** Dynamic providers get the whole configuration, others that of their own namespace. */
function providerInputs(pkg: string, config: Settings): ValueMap {
  const inputs: ValueMap = {};
  for (const [key, s] of config) {
    const [namespace, name] = key.split(":") as [string, string];
    if (pkg !== "pulumi-nodejs" && namespace !== pkg) continue;
    inputs[pkg === "pulumi-nodejs" ? key : name] = s.secret ? secret(s.text) : s.text;
  }
  return inputs;
}

function warnOfInterrupted(
  state: State,
  kind: "update" | "refresh" | "destroy",
  emit: (event: EngineEvent) => void,
): void {
  // A creation stays on record until it is cleared, as the CLI keeps it; what is in the state by now is no question any more.
  const made = new Set(state.resources.map((r) => r.urn));
  const open = state.pendingOperations.filter((p) => p.type !== "creating" || !made.has(p.resource.urn));
  const lines = [...new Set(open.map((p) => `  ${p.resource.urn}, interrupted while ${p.type}`))];
  if (lines.length === 0) return;
  if (kind === "update" && open.some((p) => p.type !== "creating"))
    lines.push("What was being changed or deleted is looked at before this run touches it.");
  if (open.some((p) => p.type === "creating"))
    lines.push(
      "Look at the service for what was being created; `refresh --clear-pending-creates` forgets creations that did not happen.",
    );
  emit({
    type: "diagnostic",
    severity: "warning",
    source: "engine",
    message: `the last run was interrupted; it is not known whether these operations took place:\n${lines.join("\n")}`,
  });
}

async function record(
  stack: StackHandle,
  kind: string,
  startTime: number,
  result: { ok: boolean; changes: Record<string, number | undefined> },
  options: RunOptions,
  config: Record<string, unknown>,
  emit: (event: EngineEvent) => void,
): Promise<void> {
  try {
    await stack.store.addHistory(stack.name, {
      kind,
      startTime: Math.floor(startTime / 1000),
      message: options.message ?? "",
      environment: { "exec.kind": "embedded-engine", "exec.directory": path.basename(stack.settings.directory) },
      config,
      version: 0,
      result: result.ok ? "succeeded" : "failed",
      endTime: Math.floor(Date.now() / 1000),
      ...(Object.keys(result.changes).length > 0 && { resourceChanges: result.changes }),
    });
    await stack.store.backup(stack.name);
  } catch (error) {
    // The operation is done and recorded in the state; only the records of it are incomplete.
    emit({
      type: "diagnostic",
      severity: "warning",
      message: `the state is written, but not the history and the backup of it: ${messageOf(error)}`,
      source: "engine",
    });
  }
}
