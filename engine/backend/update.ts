/**
 * Runs one operation on a stack: brings together the state, the configuration, the program and the providers, and
 * leaves the same files as the CLI.
 */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { removeTemporaryFiles } from "../../fs/atomic-write";
import type { LockInfo, RunOptions } from "../api";
import { historyConfig } from "../config/file-values";
import { assertSupported } from "../config/project-settings";
import { DeploymentExecutor, type DeploymentResult } from "../deploy/deployment-executor";
import { EventSink } from "../deploy/event-sink";
import { messageOf } from "../errors";
import { hasChanges, type Operation, type RunResult } from "../events";
import { serveMonitor } from "../monitor/resource-monitor";
import type { PlanOptions } from "../plan/plan-state";
import { Targets } from "../plan/targets/targets";
import { builtinProvider } from "../plugin/builtin-provider";
import { compilerHint, findSdk, newestTested } from "../plugin/node-sdk";
import type { RunningPolicyPack } from "../plugin/policy-pack";
import { defaultProviderInputs, ProviderRegistry } from "../plugin/provider-registry";
import { DependencyGraph } from "../resource/dependency-graph";
import type { ResourceHooks } from "../resource/hooks";
import type { ResourceState } from "../resource/resource-state";
import { pendingOperationsByUrn, pendingOperationsWarning } from "../state/pending-operations";
import type { Snapshot } from "../state/snapshot";
import { SnapshotManager } from "../state/snapshot-manager";
import { describeLock } from "./lock";
import { startPolicyPacks } from "./policy-packs";
import { savedPlan } from "./saved-plan";
import { type RunServices, startServices } from "./services/run-services";
import { environmentOf, sdkPlaces, servicesOptions, sharedSettings, startDeclaring } from "./start-program";
import { failingOnRejections } from "./unhandled-rejections";
import { type LoadedUpdate, loadUpdate, readFiles, type UpdateRun, type UpdateTarget } from "./update-context";
import { validateRunOptions } from "./validate-run-options";

export async function runOperation(stack: UpdateTarget, operation: Operation, options: RunOptions): Promise<RunResult> {
  const preview = operation === "preview" || options.preview === true;
  keepHeapSmall();
  validateRunOptions(operation, options);
  assertSupported(stack.settings);
  const kind = operation === "preview" ? "update" : operation;
  const runsProgram = kind === "update" || options.runProgram === true;
  // Before anything changes: rejects an SDK that is missing or unsupported.
  const sdk =
    runsProgram && stack.settings.runtime.name === "nodejs" ? findSdk(...sdkPlaces(stack, options)) : undefined;
  const lock = preview ? undefined : await stack.backend.locks(stack.name).acquire();
  try {
    if (lock?.removed.length) {
      const file = stack.backend.stackFile(stack.name);
      for (const one of [file, `${file}.bak`]) await removeTemporaryFiles(one);
    }
    const run: UpdateRun = {
      stack,
      startTime: Date.now(),
      clock: performance.now(),
      operation: kind,
      preview,
      options,
      runsProgram,
      refreshes: kind === "refresh" || (options.refresh ?? stack.settings.refreshAlways),
      events: new EventSink({
        onEvent: options.onEvent,
        showSecrets: options.showSecrets === true,
        hint: (message) => (sdk ? compilerHint(message, sdk.directory, stack.settings.programDirectory) : ""),
      }),
    };
    const files = await readFiles(run);
    const env = environmentOf(run);
    const services =
      (await stack.takeServices(env)) ?? (await startServices(stack, servicesOptions(run, files.checkpoint)));
    try {
      const loaded = await loadUpdate(run, files);
      // The program may create secrets. The key is derived when a processor is free; whoever needs it reports a wrong passphrase.
      const makeKey = () => loaded.serializer.crypter?.deriveKey().catch(() => undefined);
      if (run.runsProgram && !preview) void (services.remote?.processes.loaded() ?? Promise.resolve()).then(makeKey);
      return await runUpdate(run, operation, { loaded, services, removedLocks: lock?.removed ?? [] });
    } finally {
      await services.close();
    }
  } finally {
    await lock?.release();
  }
}

/**
 * Collects garbage when the heap has grown by a third, not when it has doubled or more, to leave memory for the program and the
 * providers. With 3,000 resources this halves the peak, for a few per cent of the time. Without effect if V8 does not have the
 * flag.
 */
function keepHeapSmall(): void {
  setFlagsFromString("--heap-growing-percent=30");
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** From the first event to the last. */
async function runUpdate(
  run: UpdateRun,
  operation: Operation,
  {
    loaded,
    services,
    removedLocks,
  }: { loaded: LoadedUpdate; services: RunServices; removedLocks: readonly LockInfo[] },
): Promise<RunResult> {
  const { stack, preview, options, events } = run;
  const { state } = loaded;
  const sdk = services.remote?.sdk;
  events.emit({
    type: "start",
    operation,
    preview,
    project: stack.settings.name,
    stack: stack.name,
    ...(sdk && { sdkVersion: sdk.version }),
    ...(sdk?.isTested === false && { sdkTested: newestTested }),
  });
  // Only after the secrets that must not be printed are registered.
  services.output.passTo((line, stream) => events.processOutput("provider", line, stream));
  for (const lock of removedLocks) events.diagnostic("warning", `removed a stale lock: ${describeLock(lock)}`);
  if (options.clearPendingCreates)
    state.pendingOperations = state.pendingOperations.filter((p) => p.type !== "creating");
  const warning = run.refreshes || preview ? undefined : pendingOperationsWarning(state, run.operation);
  if (warning !== undefined) events.diagnostic("warning", warning);

  const { stateWrites, ...result } = await deploy(run, loaded, services);
  const unexpected = result.ok && options.expectNoChanges === true && hasChanges(result.changes);
  if (unexpected) events.diagnostic("error", "no changes were expected, but there are some");
  const ok = result.ok && !unexpected;
  if (ok && loaded.plan !== undefined) options.onPlan?.(savedPlan(loaded.plan, loaded.serializer, options.showSecrets));
  if (!preview && result.saved) await saveHistory(run, { ...result, ok }, historyConfig(loaded.configNodes));
  const { before, after } = result.stackOutputs;
  const outputs = events.toPrintable(after);
  events.emit({ type: "outputs", outputs, before: events.toPrintable(before) });
  const end: RunResult = {
    operation,
    preview,
    ok,
    cancelled: result.cancelled,
    changes: result.changes,
    durationMs: Math.round(performance.now() - run.clock),
    outputs,
    stateWrites,
  };
  events.emit({ type: "end", result: end });
  return end;
}

/** Starts the program, executes the operation, and ends what was started. */
async function deploy(
  run: UpdateRun,
  loaded: LoadedUpdate,
  { remote }: RunServices,
): Promise<DeploymentResult & { stateWrites: number }> {
  const { stack, preview, options, runsProgram, events } = run;
  const { checkpoint, serializer, state, config } = loaded;
  const shared = sharedSettings(run);
  const project = stack.settings.name;
  const providers = new ProviderRegistry({
    remote: remote && {
      ...remote,
      components: { ...shared, project, config, engineAddress: remote.server.address },
    },
    inProcess: stack.providers.inProcessProviders,
    host: {
      project,
      stack: stack.name,
      config,
      projectDirectory: stack.settings.directory,
      programDirectory: stack.settings.programDirectory,
      env: shared.env,
      // Providers in processes of their own identify the engine by it.
      run: remote?.server.address ?? randomUUID(),
      log: events.log.bind(events),
    },
    dryRun: preview,
    resources: state.resources,
    builtin: builtinProvider(project, (other) => stack.outputsOf(other)),
  });
  // Complete before the program starts.
  const policyPacks: RunningPolicyPack[] = [];
  const hooks: ResourceHooks = new Map();
  const writer = preview ? undefined : stack.backend.writer(stack.name, checkpoint, serializer);
  const snapshot = new SnapshotManager(state, writer);
  const deployment = new DeploymentExecutor({
    ...planOptions(run, state),
    updatePlan: loaded.plan,
    ...shared,
    policyPacks,
    hooks,
    resources: state.resources,
    pendingOperations: state.pendingOperations,
    ...(options.recoverCreate && { recoverCreate: options.recoverCreate }),
    refreshFirst: run.refreshes && !refreshesWithProgram(run),
    continueOnError: options.continueOnError === true,
    showSecrets: options.showSecrets === true,
    withStates: options.withStates === true,
    signal: options.signal,
    events,
    snapshot,
    providers,
    defaultProviderInputs: (plugin) => defaultProviderInputs(plugin, config),
    deriveKey: async () => serializer.crypter?.deriveKey(),
  });
  const { registrar } = deployment;
  const projectDirectory = stack.settings.directory;
  if (remote !== undefined)
    serveMonitor(
      { ...shared, sdk: remote.sdk, project, projectDirectory, registrar, hooks, listener: deployment },
      remote.server,
    );
  // An unhandled rejection in a provider of this process stops the run, and the state is saved.
  const failRun = (error: unknown) =>
    deployment.rejectProgram(error instanceof Error ? error : new Error(String(error)), "");
  let isSaved = false;
  try {
    return await failingOnRejections(failRun, async () => {
      policyPacks.push(...(await startPolicyPacks(run, loaded, remote)));
      const start = () => startDeclaring(run, loaded, registrar, remote);
      const result = await deployment.run(runsProgram ? start : undefined);
      isSaved = result.saved && !preview;
      return { ...result, stateWrites: snapshot.writes };
    });
  } finally {
    await Promise.all([
      providers.close(isSaved),
      ...[...(remote ? [remote.processes] : []), ...policyPacks].map((each) => each.close()),
    ]);
    events.close();
  }
}

/** Whether each resource is refreshed when the program registers it, with the current configuration, instead of all of them before. */
const refreshesWithProgram = ({ operation, refreshes, options }: UpdateRun): boolean =>
  operation !== "destroy" && refreshes && options.runProgram === true;

function planOptions(run: UpdateRun, state: Snapshot): PlanOptions {
  const { stack, operation, preview, options, events } = run;
  const protectedUrns = options.excludeProtected ? protectedWithDependencies(state.resources) : [];
  if (protectedUrns.length > 0)
    events.diagnostic(
      "info",
      `protected resources and their dependencies stay: ${protectedUrns.length} of ${state.resources.length} resources`,
    );
  const excludes = new Targets(options.excludes);
  for (const urn of protectedUrns) excludes.add(urn);
  return {
    stack: stack.name,
    project: stack.settings.name,
    dryRun: preview,
    operation,
    refresh: refreshesWithProgram(run),
    interrupted: pendingOperationsByUrn(state),
    targets: new Targets(options.targets),
    targetDependents: options.targetDependents === true,
    excludes,
    excludeDependents: options.excludeDependents === true,
    replaces: new Targets(options.replaces),
    events,
  };
}

/** The URNs of protected resources and of everything that they depend on. */
function protectedWithDependencies(resources: readonly ResourceState[]): string[] {
  const graph = new DependencyGraph(resources);
  const protectedOnes = resources.filter((r) => r.protect).flatMap((r) => [r, ...graph.transitiveDependenciesOf(r)]);
  return [...new Set(protectedOnes.map((r) => r.urn))];
}

/** Writes the history and a backup of the current state. */
async function saveHistory(
  { stack, operation, startTime, options, events }: UpdateRun,
  { ok, changes }: DeploymentResult,
  config: Record<string, unknown>,
): Promise<void> {
  try {
    await stack.backend.addHistory(stack.name, {
      kind: operation,
      startTime: Math.floor(startTime / 1000),
      message: options.message ?? "",
      environment: {
        "exec.kind": "embedded-engine",
        "exec.directory": path.basename(stack.settings.directory),
        ...options.historyEnvironment,
      },
      config,
      version: 0,
      result: ok ? "succeeded" : "failed",
      endTime: Math.floor(Date.now() / 1000),
      ...(Object.keys(changes).length > 0 && { resourceChanges: changes }),
    });
    await stack.backend.backup(stack.name);
  } catch (error) {
    // The operation is complete and in the state; only its history or backup is missing.
    events.diagnostic("warning", `the state is written, but not the history and the backup of it: ${messageOf(error)}`);
  }
}
