/**
 * What an update starts with: the state, the configuration and the SDK, all loaded before anything is reported or changed.
 *
 * Used for: the checkpoint file and `Pulumi.<stack>.yaml`, as a run finds them.
 */
import type { RunOptions } from "../api";
import { type ConfigNode, decryptAll } from "../config/file-values";
import type { ProjectSettings } from "../config/project-settings";
import { type ConfigMap, resolveConfig } from "../config/resolve-config";
import type { StackSettingsFile } from "../config/stack-settings-file";
import type { EventSink } from "../deploy/event-sink";
import type { Operation } from "../events";
import { UpdatePlan } from "../plan/constraint/update-plan";
import { parsePath } from "../resource/property-path";
import type { ValueMap } from "../resource/property-value";
import type { ResourceState } from "../resource/resource-state";
import type { PassphraseManager } from "../secrets/passphrase-sources";
import { type Checkpoint, deserializeDeployment } from "../state/checkpoint";
import type { ResourceSerializer } from "../state/serializer";
import type { Snapshot } from "../state/snapshot";
import type { FileBackend } from "./file-backend";
import { loadEarlierState } from "./rollback/earlier-state";
import { readPlan } from "./saved-plan";
import type { ProviderOptions, RunServices } from "./services/run-services";
import { type OpenedSecrets, openSecrets } from "./stack-secrets";

/** What a run needs of the stack that it changes. */
export interface UpdateTarget {
  readonly name: string;
  readonly settings: ProjectSettings;
  readonly backend: FileBackend;
  readonly passphrases: PassphraseManager;
  readonly env: NodeJS.ProcessEnv;
  readonly providers: ProviderOptions;
  /** The stack's configuration. */
  readSettingsFile(): Promise<StackSettingsFile>;
  /** Services that were started in advance for a run in this environment. */
  takeServices(env: NodeJS.ProcessEnv): Promise<RunServices | undefined>;
  /** The outputs of another stack of the project, for a reference to it. */
  outputsOf(stack: string): Promise<ValueMap>;
}

/** One operation in progress. */
export interface UpdateRun {
  stack: UpdateTarget;
  /** For the history, in milliseconds since 1970. */
  startTime: number;
  /** The same, of a monotonic clock. */
  clock: number;
  operation: Exclude<Operation, "preview">;
  preview: boolean;
  options: RunOptions;
  /** Whether the program runs; otherwise the operation uses the state alone. */
  runsProgram: boolean;
  /** Whether everything is read from the service. */
  refreshes: boolean;
  events: EventSink;
}

/** The files of a stack, while their secrets are being decrypted. */
interface StackFiles {
  checkpoint: Checkpoint;
  file: StackSettingsFile;
  secrets: Promise<OpenedSecrets>;
}

export interface LoadedUpdate {
  checkpoint: Checkpoint;
  serializer: ResourceSerializer;
  state: Snapshot;
  /** The stack's configuration, as its file has it. */
  configNodes: Map<string, ConfigNode>;
  /** The same with the project's defaults, for the program; empty when none runs. */
  config: ConfigMap;
  /** Records the plan of the run, or enforces an earlier plan. */
  plan?: UpdatePlan;
  /** The deployment that is declared instead of running the program. */
  earlier?: readonly ResourceState[];
}

export async function readFiles({ stack, preview, options }: UpdateRun): Promise<StackFiles> {
  const checkpoint = await stack.backend.load(stack.name);
  const file = await stack.readSettingsFile();
  const hasPlan = options.plan !== undefined || options.onPlan !== undefined;
  const secrets = openSecrets(stack.passphrases, checkpoint, file, !preview || hasPlan);
  secrets.catch(() => undefined);
  return { checkpoint, file, secrets };
}

/** Decrypts the files, and registers the secrets that must not be printed. */
export async function loadUpdate(run: UpdateRun, { checkpoint, file, secrets }: StackFiles): Promise<LoadedUpdate> {
  const { stack, options, runsProgram, events } = run;
  const { serializer, config: crypter } = await secrets;
  const state = deserializeDeployment(checkpoint.latest, serializer);
  const disclosed = (options.plaintextOutputs ?? []).flatMap((path) => [parsePath(path) ?? []]);
  const earlier = options.rollback && (await loadEarlierState(stack, options.rollback.version));
  const all = [...state.resources, ...(earlier ?? [])];
  for (const { outputs } of all) for (const path of disclosed) events.allow(outputs, path);
  for (const { inputs, outputs } of all) for (const values of [inputs, outputs]) events.addSecrets(values);
  const configNodes = file.values();
  const config: ConfigMap = runsProgram
    ? resolveConfig({
        project: stack.settings.name,
        stack: stack.name,
        values: configNodes,
        declarations: stack.settings.configSchema,
        crypter,
        extra: options.config,
      })
    : new Map();
  for (const { secret, text } of config.values()) if (secret) events.addSecretText(text);
  if (crypter !== undefined) for (const text of decryptAll(configNodes.values(), crypter)) events.addConfigSecret(text);
  const plan = planOf(run, serializer);
  const loaded = { checkpoint, serializer, state, configNodes, config };
  return { ...loaded, ...(plan && { plan }), ...(earlier && { earlier }) };
}

function planOf({ stack, options: { plan, onPlan }, events }: UpdateRun, serializer: ResourceSerializer) {
  if (plan === undefined) return onPlan && new UpdatePlan();
  const planned = readPlan(plan, stack.name, serializer);
  for (const { goal } of planned.values())
    for (const { adds, updates } of [goal?.inputDiff ?? {}, goal?.outputDiff ?? {}])
      for (const values of [adds, updates]) events.addSecrets(values);
  return new UpdatePlan(planned);
}
