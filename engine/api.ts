/**
 * The engine's interface: a project (a folder with a Pulumi.yaml), its stacks, and the operations on a stack. Whatever
 * a caller may rely on is declared here; the rest of the room is its implementation.
 *
 * Every function rejects with an {@link EngineError} when the user can do something about it: its message is fit for
 * printing as it stands, and says what to do. Any other error is a defect of ours.
 */
import type { EngineEvent, Operation, RunResult } from "./events";
import type { LocalProviders } from "./resource/local-providers";
import type { ResourceView } from "./resource/resource-view";

export type { ResourceView };

export interface OpenOptions {
  /** The folder from which a Pulumi.yaml is looked for, here and upwards. */
  dir: string;
  /** Settings of the engine (`PULUMI_*`), and the environment of programs and providers. Default: `process.env`. */
  env?: NodeJS.ProcessEnv;
  /** Overrides every other way to say where the state is kept; a `file://` address. */
  backendUrl?: string;
  /** The file with the configuration of every stack. Default: `Pulumi.<stack>.yaml` beside the project's file. */
  configFile?: string;
  /** A package whose resources are served in this process. Default: each provider has a process of its own. */
  localProviders?: LocalProviders;
  /**
   * An existing stack's passphrase, found without a question. Undefined: what `PULUMI_CONFIG_PASSPHRASE` (which may be empty) or
   * `PULUMI_CONFIG_PASSPHRASE_FILE` says.
   */
  storedPassphrase?: (stack: string) => Promise<string | undefined>;
  /** Asked once when a passphrase is needed that is found nowhere. Undefined is an error. */
  passphrase?: (purpose: "existing" | "new", stack: string) => Promise<string | undefined>;
}

/** Where the address of the state comes from, for messages. */
export type BackendSource = "option" | "PULUMI_BACKEND_URL" | "Pulumi.yaml" | "login" | "default";

export interface StackSummary {
  name: string;
  /** True when commands without a stack's name mean this one. */
  current: boolean;
  /** Time of the last write, ISO 8601; absent when the state cannot be read. */
  lastUpdate?: string;
  /** Number of resources in the state, the stack itself included; absent when the state cannot be read. */
  resourceCount?: number;
  /** What to do about a state that is missing beside the one before it; absent otherwise. */
  lost?: string;
}

/** A project: what Pulumi.yaml says, and where its stacks are kept. */
export interface Project {
  readonly name: string;
  /** The folder of Pulumi.yaml. */
  readonly directory: string;
  /** The folder of the program (`main`). */
  readonly programDirectory: string;
  /** Name of the language runtime. */
  readonly runtime: string;
  readonly backend: {
    readonly url: string;
    /** The folder that holds all states, absolute. */
    readonly folder: string;
    readonly source: BackendSource;
  };
  /**
   * Writes into Pulumi.yaml where the stacks are, if that is the default of this engine alone: the Pulumi CLI finds them
   * there, too. Resolves to whether it did.
   */
  recordBackend(): Promise<boolean>;
  listStacks(): Promise<StackSummary[]>;
  /** The names of the same, without reading their states. */
  stackNames(): Promise<string[]>;
  /**
   * Creates an empty stack; rejects when it exists, or when the name is not allowed. `keyOf`: a stack with the same passphrase, whose key
   * it shares; without one, or with another passphrase, it has a key of its own.
   */
  initStack(name: string, options?: { keyOf?: string }): Promise<Stack>;
  /** Opens a stack; rejects when it does not exist, and lists those that do. */
  openStack(name: string): Promise<Stack>;
  /** Rejects, with code "integrity", when a stack's state is missing beside the one before it. */
  assertStateNotLost(name: string): Promise<void>;
  /** A stack's configuration alone, wherever its state is: from the file beside the program. Undefined without one. */
  openConfiguration(name: string): Promise<Pick<Stack, "name" | "config"> | undefined>;
  /**
   * Gives a stack another name, and makes it the current one: its state, history and configuration file go along.
   * Rejects when there is a stack of that name, or another configuration file for it.
   */
  renameStack(from: string, to: string): Promise<Stack>;
  /** The stack meant when none is named: `PULUMI_STACK`, the selected one, or the only one there is. */
  currentStack(): Promise<string | undefined>;
  /** Makes a stack the current one of this folder, for the Pulumi CLI as well. */
  selectStack(name: string): Promise<void>;
}

export interface ConfigValue {
  /** `"[secret]"` for a secret, unless secrets were asked for. Objects and lists are JSON text. */
  value: string;
  /** The same as JSON, when it is an object or a list and may be shown. */
  objectValue?: unknown;
  secret: boolean;
}

/** An entry of the history, newest first. */
export interface HistoryEntry {
  kind: string;
  /** ISO 8601. */
  startTime: string;
  endTime: string;
  message: string;
  result: "succeeded" | "failed" | "in-progress";
  resourceChanges: Record<string, number>;
  /** 1 for the oldest one. */
  version: number;
  /** How it was started, such as `exec.kind`. */
  environment: Record<string, string>;
  /** The configuration at that time, by full key. */
  config: Record<string, ConfigValue>;
}

/** A deployment as `pulumi stack export` prints it. */
export interface ExportedDeployment {
  version: number;
  deployment: Record<string, unknown>;
  [unknown: string]: unknown;
}

export interface LockInfo {
  pid: number;
  username: string;
  hostname: string;
  /** ISO 8601. */
  timestamp: string;
  /** True when the process is known to have ended: it ran on this host and is no more. */
  stale: boolean;
}

/** For what cannot be undone. */
export interface Consent {
  /** Asked when everything is checked and before anything is written; what it throws ends the operation. Default: no confirmation. */
  confirm?: () => Promise<void>;
}

/** A value to be set. */
export interface NewConfigValue {
  key: string;
  value: string;
  /** Default: stored in clear. */
  secret?: boolean;
  /** A list or an object, instead of the text. */
  objectValue?: unknown;
}

/** The configuration of a stack. Keys are `namespace:name`; the project's name is the default namespace. */
export interface ConfigEditor {
  /** All values, safe to print unless secrets are asked for. */
  list(options?: { showSecrets?: boolean }): Promise<Map<string, ConfigValue>>;
  /** One value, also a secret one; undefined if it is not set. `path`: as for `set`. */
  get(key: string, options?: { path?: boolean }): Promise<ConfigValue | undefined>;
  /** With `path`, the key is a path into an object value: `data.list[0]`. */
  set(key: string, value: string, options?: { secret?: boolean; path?: boolean }): Promise<void>;
  /** Several values with one write. */
  setAll(values: readonly NewConfigValue[], options?: { path?: boolean }): Promise<void>;
  remove(key: string, options?: { path?: boolean }): Promise<void>;
  /** Several values with one write; those that are not set are passed over. */
  removeAll(keys: readonly string[], options?: { path?: boolean }): Promise<void>;
  /**
   * Replaces all values by those of the last deployment. Rejects if there is none. Resolves to the path of a copy of the
   * file as it was, unless forced.
   */
  refresh(options?: { force?: boolean }): Promise<string | undefined>;
}

/** Edits of the state. Each backs the state up, and checks the new one before it is written. */
export interface StateEditor {
  /** Resolves to the number of resources that changed, as the three below. */
  protect(urns: string[] | "all"): Promise<number>;
  unprotect(urns: string[] | "all"): Promise<number>;
  taint(urns: string[] | "all"): Promise<number>;
  untaint(urns: string[] | "all"): Promise<number>;
  /** Gives a resource another name; rejects when there is one of that name and type. */
  rename(urn: string, name: string): Promise<void>;
  /** Removes a resource from the state without deleting the object. */
  delete(urn: string, options?: Consent & { force?: boolean; targetDependents?: boolean }): Promise<void>;
}

export interface Stack {
  readonly name: string;
  readonly project: Project;

  /** Runs an operation. Resolves also when it failed: see {@link RunResult}. Rejects when nothing was begun. */
  run(operation: Operation, options?: RunOptions): Promise<RunResult>;

  /**
   * Starts what the next run needs, such as a provider's process, while its caller waits for other things. It is used if that run
   * has the same environment.
   */
  prepare(operation: Operation, options: RunOptions): Promise<void>;
  /** Ends what was prepared, and no run has used. */
  close(): Promise<void>;

  outputs(options?: { showSecrets?: boolean }): Promise<Record<string, unknown>>;
  resources(options?: { showSecrets?: boolean }): Promise<ResourceView[]>;
  /** The newest first; `count` entries from number `from` on. */
  history(options?: { showSecrets?: boolean; from?: number; count?: number }): Promise<HistoryEntry[]>;
  /** The version of the history to go back to, or that of the deployment before the last update; rejects when there is none. */
  findVersion(version: number | "previous"): Promise<number>;
  export(options?: { showSecrets?: boolean }): Promise<ExportedDeployment>;
  /** Replaces the state; it must be intact and belong to this stack, unless forced. */
  import(deployment: unknown, options?: Consent & { force?: boolean }): Promise<void>;
  /** Removes the stack, its history and its configuration file. Refuses when it has resources, unless forced. */
  remove(options?: Consent & { force?: boolean; preserveConfig?: boolean }): Promise<void>;

  readonly config: ConfigEditor;
  readonly state: StateEditor;

  /** What the stack is tagged with; the engines do nothing with it. */
  tags(): Promise<Record<string, string>>;
  setTags(tags: Record<string, string>): Promise<void>;

  locks(): Promise<LockInfo[]>;
  /** Removes all locks, also those of living processes; resolves to how many there were. */
  cancel(): Promise<number>;
}

/** A resource as far as it is needed to look for another one. */
export interface ManagedResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
}

/** A policy pack to enforce. */
export interface PolicyPackSource {
  /** The folder with PulumiPolicy.yaml. */
  directory: string;
  /** A JSON file with configuration for its policies. */
  configFile?: string;
}

export interface RollbackOptions {
  /** Version of the history: see {@link HistoryEntry}. */
  version: number;
  /** Adds to a resource's inputs what its class passes to the provider's check alone. */
  prepare?: (
    resource: { urn: string; type: string; name: string; inputs: Record<string, unknown> },
    dryRun: boolean,
  ) => Promise<Record<string, unknown>>;
}

/** Where Pulumi's event log of a run goes, a line of JSON for each event. */
export interface EventStream {
  send(line: string): void;
  /** Resolves when everything has arrived. */
  close(): Promise<void>;
}

/** A plan as `preview --save-plan` writes it, in the form of the CLI. */
export interface DeploymentPlan {
  manifest: Record<string, unknown>;
  /** By URN. */
  resourcePlans?: Record<string, unknown>;
  [unknown: string]: unknown;
}

export interface RunOptions {
  /** Only plan: change nothing. `run("preview")` implies it; also for previews of refresh and destroy. */
  preview?: boolean;
  onEvent?: (event: EngineEvent) => void;
  /** The first abort finishes what is in flight, saves, and releases the lock. */
  signal?: AbortSignal;
  /** How many provider operations run at once; default 4 times the number of processors. */
  parallel?: number;
  /** Refresh first (update, preview, destroy). */
  refresh?: boolean;
  /** Providers get today's configuration: refresh and destroy run the program for it; an update that refreshes first, does it as the program runs. */
  runProgram?: boolean;
  /** Fail when anything changes. */
  expectNoChanges?: boolean;
  /** Go on with what does not depend on what failed. */
  continueOnError?: boolean;
  /** refresh: forget creations that were interrupted. */
  clearPendingCreates?: boolean;
  /**
   * How to find what an interrupted creation has created: the properties with which its provider's `read` is called,
   * without an id. It returns the object, or no id if nothing was created. Undefined if the provider cannot.
   */
  recoverCreate?: (
    pending: ManagedResource,
    managed: readonly ManagedResource[],
  ) => Record<string, unknown> | undefined;
  /** Only these resources (URNs, `*` and `**` allowed). */
  targets?: string[];
  targetDependents?: boolean;
  /** All but these resources (URNs, `*` and `**` allowed). */
  excludes?: string[];
  excludeDependents?: boolean;
  /** destroy: all but what is protected, and what that needs to exist. */
  excludeProtected?: boolean;
  /** Replace these resources even if nothing changed (URNs, `*` and `**` allowed). */
  replaces?: string[];
  /** Policy packs that update and preview enforce. A mandatory violation stops an update before the resource is touched. */
  policyPacks?: PolicyPackSource[];
  /** Also check the types of a TypeScript program (slow; `tsc --noEmit` does it better). */
  typeCheck?: boolean;
  /** Declares what an earlier deployment had, instead of running the program: update and preview. */
  rollback?: RollbackOptions;
  /** Called with the plan of a preview that succeeded; its secrets are encrypted, unless they are shown. */
  onPlan?: (plan: DeploymentPlan) => void;
  /** Refuses what such a plan does not contain, before anything of the resource is written. */
  plan?: DeploymentPlan;
  /**
   * Who runs the program instead of a process of its own: a language runtime that serves on this machine at `host:port`.
   * `sdkFolder`: whose @pulumi/pulumi the engine uses if the program's folder has none.
   */
  languageRuntime?: { address: string; sdkFolder?: string };
  /** Message for the history. */
  message?: string;
  /** What else the history notes of how the run was started, by names such as `exec.kind`. */
  historyEnvironment?: Record<string, string>;
  /** Configuration for this run only, by full key. */
  config?: Record<string, string>;
  /** Added to the environment of the program and of providers. */
  env?: Record<string, string>;
  /** Steps have the whole resource, before and after. */
  withStates?: boolean;
  /** Print the values of secrets in events. */
  showSecrets?: boolean;
  /** Paths of outputs, such as `data.name`, whose texts may be printed although what they are part of is secret. */
  plaintextOutputs?: string[];
}
