/**
 * Runs one operation on a stack: brings together the state, the configuration, the program and the providers, and
 * leaves everything behind as the CLI would.
 */
import { cpus } from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { removeRemains } from "../../fs/atomic-write";
import type { LockInfo, RunOptions } from "../api";
import { historyConfig } from "../config/values";
import { Deferred } from "../deferred";
import { Deployment, type DeploymentResult } from "../deploy/deployment-executor";
import { Reporter } from "../deploy/event-sink";
import { messageOf } from "../errors";
import type { Operation, RunResult } from "../events";
import { Monitor } from "../monitor/resource-monitor";
import { Planner } from "../plan/step-generator";
import { Targets } from "../plan/targets";
import { builtinProvider } from "../plugin/builtin-provider";
import { startProgram } from "../plugin/language-host";
import { compilerHint, type FoundSdk, findSdk, newestTested } from "../plugin/node-sdk";
import { Providers, providerInputs } from "../plugin/provider-registry";
import { DependencyGraph } from "../resource/dependency-graph";
import type { ResourceState } from "../resource/state";
import { isProviderType } from "../resource/urn";
import { interruptedIn, warningOfInterrupted } from "../state/pending-operations";
import { Snapshot } from "../state/snapshot-manager";
import { describeLock } from "./lock";
import { type Opened, openRun, type Run, type UpdateTarget } from "./update-context";
import { refuseContradictions } from "./validate-options";

export async function runOperation(stack: UpdateTarget, operation: Operation, options: RunOptions): Promise<RunResult> {
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
    const kind = operation === "preview" ? "update" : operation;
    const run: Run = {
      stack,
      operation: kind,
      preview,
      options,
      runsProgram: kind === "update" || options.runProgram === true,
      refreshes: kind === "refresh" || (options.refresh ?? stack.settings.refreshAlways),
      reporter: new Reporter({
        onEvent: options.onEvent,
        showSecrets: options.showSecrets === true,
        hint: (message) => compilerHint(message, found.directory, stack.settings.programDirectory),
      }),
    };
    return await perform(run, operation, found, lock?.removed ?? []);
  } finally {
    await lock?.release();
  }
}

/**
 * Has garbage collected when the heap has grown by a third, not when it has doubled or more: the program and the
 * providers beside this process need memory, too. At 3,000 resources it peaks at half of what it would, for a few per
 * cent of the time. Without effect where V8 knows no such flag.
 */
function keepHeapSmall(): void {
  setFlagsFromString("--heap-growing-percent=30");
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** From the first event to the last. */
async function perform(
  run: Run,
  operation: Operation,
  found: FoundSdk,
  removedLocks: readonly LockInfo[],
): Promise<RunResult> {
  const startTime = Date.now();
  // Not by the machine's clock, which may be put back.
  const begin = performance.now();
  const { stack, preview, options, reporter } = run;
  const opened = await openRun(run, found);
  const { sdk, state } = opened;
  reporter.emit({
    type: "start",
    operation,
    preview,
    project: stack.settings.name,
    stack: stack.name,
    sdkVersion: sdk.version,
    ...(!sdk.isTested && { sdkTested: newestTested }),
  });
  for (const lock of removedLocks)
    reporter.say("warning", `taken over from a run that ended without releasing its lock: ${describeLock(lock)}`);
  if (options.clearPendingCreates)
    state.pendingOperations = state.pendingOperations.filter((p) => p.type !== "creating");
  const warning = run.refreshes || preview ? undefined : warningOfInterrupted(state, run.operation);
  if (warning !== undefined) reporter.say("warning", warning);

  const { stateWrites, ...result } = await deploy(run, opened);
  const unexpected =
    result.ok &&
    options.expectNoChanges === true &&
    Object.entries(result.changes).some(([op, n]) => op !== "same" && n);
  if (unexpected) reporter.say("error", "no changes were expected, but there are some");
  const ok = result.ok && !unexpected;
  if (!preview && result.saved) await record(run, startTime, { ...result, ok }, historyConfig(opened.values));
  const { before, after } = result.stackOutputs;
  const outputs = reporter.printable(after);
  reporter.emit({ type: "outputs", outputs, before: reporter.printable(before) });
  const end: RunResult = {
    operation,
    preview,
    ok,
    cancelled: result.cancelled,
    changes: result.changes,
    durationMs: Math.round(performance.now() - begin),
    outputs,
    stateWrites,
  };
  reporter.emit({ type: "end", result: end });
  return end;
}

/** Starts the program and the providers, carries the operation out, and ends what was started. */
async function deploy(run: Run, opened: Opened): Promise<DeploymentResult & { stateWrites: number }> {
  const { stack, operation, preview, options, runsProgram, refreshes, reporter } = run;
  const { settings: project } = stack;
  const { sdk, checkpoint, codec, state, settings } = opened;
  const parallel = Math.max(1, options.parallel ?? 4 * cpus().length);
  const env: NodeJS.ProcessEnv = { ...stack.env, ...options.env };
  const address = new Deferred<string>();
  const providers = new Providers(
    {
      sdk,
      project: project.name,
      programDirectory: project.programDirectory,
      env,
      engineAddress: address.promise,
      onLine: (line, stream) => reporter.printed("provider", line, stream),
    },
    preview,
    builtinProvider(project.name, (name) => stack.outputsOf(name)),
  );
  const planner = plannerOf(run, opened);
  const writer = preview ? undefined : stack.store.writer(stack.name, checkpoint, codec);
  const snapshot: Snapshot = new Snapshot(state, writer, () => deployment.busy);
  const deployment: Deployment = new Deployment({
    operation,
    dryRun: preview,
    parallel,
    refreshFirst: refreshes && !(operation === "refresh" && runsProgram),
    continueOnError: options.continueOnError === true,
    planner,
    snapshot,
    providers,
    defaultProviderInputs: (pkg) => providerInputs(pkg, settings),
    targets: { replaces: options.replaces ?? [], targets: options.targets ?? [], excludes: options.excludes ?? [] },
    showSecrets: options.showSecrets === true,
    signal: options.signal,
    emit: reporter.emit,
    hide: (values) => reporter.hide(values),
    prepare: async () => codec.crypter?.ready(),
  });
  const monitor = new Monitor({
    sdk,
    project: project.name,
    stack: stack.name,
    projectDirectory: project.directory,
    programDirectory: project.programDirectory,
    dryRun: preview,
    parallel,
    registrar: deployment.registrations,
    listener: deployment,
  });
  try {
    const at = await monitor.listen();
    address.resolve(at);
    if (runsProgram || state.resources.some((r) => r.custom && !isProviderType(r.type) && !r.external))
      providers.prepare();
    const start = () =>
      startProgram({
        sdk,
        project,
        stack: stack.name,
        settings,
        dryRun: preview,
        parallel,
        typeCheck: options.typeCheck === true,
        env,
        address: at,
        onLine: (line, stream) => reporter.printed("program", line, stream),
      });
    const result = await deployment.run(runsProgram ? start : undefined);
    return { ...result, stateWrites: snapshot.writes };
  } finally {
    await providers.close();
    monitor.close();
    reporter.close();
  }
}

function plannerOf({ stack, operation, preview, options, runsProgram, reporter }: Run, { state }: Opened): Planner {
  const kept = options.excludeProtected ? neededByProtected(state.resources) : [];
  if (kept.length > 0)
    reporter.say(
      "info",
      `what is protected stays, and what that needs to exist: ${kept.length} of ${state.resources.length} resources`,
    );
  return new Planner(
    {
      stack: stack.name,
      project: stack.settings.name,
      dryRun: preview,
      mode: operation,
      refresh: operation === "refresh" && runsProgram,
      interrupted: interruptedIn(state),
      targets: new Targets(options.targets),
      targetDependents: options.targetDependents === true,
      excludes: new Targets([...(options.excludes ?? []), ...kept]),
      excludeDependents: options.excludeDependents === true,
      replaces: new Targets(options.replaces),
      report: (severity, urn, message) => reporter.say(severity, message, urn),
    },
    state.resources,
  );
}

/** The URNs of what is protected, and of all that it needs. */
function neededByProtected(resources: readonly ResourceState[]): string[] {
  const graph = new DependencyGraph(resources);
  const kept = resources.filter((r) => r.protect).flatMap((r) => [r, ...graph.transitiveDependenciesOf(r)]);
  return [...new Set(kept.map((r) => r.urn))];
}

/** Writes the history and a backup of what the state is now. */
async function record(
  { stack, operation, options, reporter }: Run,
  startTime: number,
  { ok, changes }: DeploymentResult,
  config: Record<string, unknown>,
): Promise<void> {
  try {
    await stack.store.addHistory(stack.name, {
      kind: operation,
      startTime: Math.floor(startTime / 1000),
      message: options.message ?? "",
      environment: { "exec.kind": "embedded-engine", "exec.directory": path.basename(stack.settings.directory) },
      config,
      version: 0,
      result: ok ? "succeeded" : "failed",
      endTime: Math.floor(Date.now() / 1000),
      ...(Object.keys(changes).length > 0 && { resourceChanges: changes }),
    });
    await stack.store.backup(stack.name);
  } catch (error) {
    // The operation is done and recorded in the state; only the records of it are incomplete.
    reporter.say("warning", `the state is written, but not the history and the backup of it: ${messageOf(error)}`);
  }
}
