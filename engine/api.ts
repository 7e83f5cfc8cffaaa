/**
 * The engine's interface: a project (a folder with a Pulumi.yaml), its stacks, and the operations on a stack. Callers may rely on what is
 * declared here and in events.ts; the rest of the room is the implementation.
 *
 * A function rejects with an {@link EngineError} if the user can fix the problem: the message can be printed unchanged and says what to
 * do. Any other error is a bug in this package.
 */
import type { EngineEvent, Operation, RunResult } from "./events";
import type { InProcessProviders } from "./resource/in-process-providers";
import type { ResourceView } from "./resource/resource-view";

export type { ResourceView };

export interface OpenOptions {
  /** The folder of the Pulumi.yaml, or a folder below it. */
  dir: string;
  /** Settings of the engine (`PULUMI_*`), and environment of programs and providers. Default: `process.env`. */
  env?: NodeJS.ProcessEnv;
  /** Location of the states, a `file://` address. Overrides every other setting. */
  backendUrl?: string;
  /** File with the configuration of every stack. Default: `Pulumi.<stack>.yaml` beside the project's file. */
  configFile?: string;
  /** Packages whose provider runs in this process. Default: each provider runs in a process of its own. */
  inProcessProviders?: InProcessProviders;
  /**
   * Returns the passphrase of an existing stack without asking the user. Undefined: the engine uses `PULUMI_CONFIG_PASSPHRASE` (which may
   * be empty) or `PULUMI_CONFIG_PASSPHRASE_FILE`.
   */
  storedPassphrase?: (stack: string) => Promise<string | undefined>;
  /** Asks the user for a passphrase that was found nowhere; called once. Undefined: the engine reports an error. */
  passphrase?: (purpose: "existing" | "new", stack: string) => Promise<string | undefined>;
}

/** Which setting determined the location of the states; for messages. */
export type BackendSource = "option" | "PULUMI_BACKEND_URL" | "Pulumi.yaml" | "login" | "default";

export interface StackSummary {
  name: string;
  /** True for the stack that commands use if none is named. */
  current: boolean;
  /** Time of the last write, ISO 8601; absent if the state cannot be read. */
  lastUpdate?: string;
  /** Number of resources in the state, including the stack itself; absent if the state cannot be read. */
  resourceCount?: number;
  /** How to restore a state file that is missing although its backup exists; absent if nothing is missing. */
  lost?: string;
}

/** A project: the settings of its Pulumi.yaml, and its stacks. */
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
    /** The folder with all states, as an absolute path. */
    readonly folder: string;
    readonly source: BackendSource;
  };
  /**
   * Writes the location of the states into Pulumi.yaml if it is a default that only this engine knows, so that the Pulumi CLI finds them.
   * Resolves to whether it wrote the file.
   */
  recordBackend(): Promise<boolean>;
  listStacks(): Promise<StackSummary[]>;
  /** The names of all stacks, without reading their states. */
  stackNames(): Promise<string[]>;
  /**
   * Creates an empty stack. Rejects if it exists, or if the name is not allowed. `keyOf`: an existing stack; if it has the same
   * passphrase, the new stack shares its encryption key. Otherwise the new stack has a key of its own.
   */
  initStack(name: string, options?: { keyOf?: string }): Promise<Stack>;
  /** Opens a stack. Rejects if it does not exist; the message lists the existing ones. */
  openStack(name: string): Promise<Stack>;
  /** Rejects with code "integrity" if a stack's state file is missing although its backup exists. */
  assertStateNotLost(name: string): Promise<void>;
  /** Opens a stack's configuration file without its state. Undefined if the file does not exist. */
  openConfiguration(name: string): Promise<Pick<Stack, "name" | "config"> | undefined>;
  /**
   * Renames a stack with its state, history and configuration file, and selects it. Rejects if the new name has a stack or a
   * configuration file already.
   */
  renameStack(from: string, to: string): Promise<Stack>;
  /** The stack to use if none is named: `PULUMI_STACK`, the selected stack, or the only stack. */
  currentStack(): Promise<string | undefined>;
  /** Selects a stack for this folder, also for the Pulumi CLI. */
  selectStack(name: string): Promise<void>;
}

export interface ConfigValue {
  /** `"[secret]"` for a secret, unless secrets were requested. Objects and lists are JSON text. */
  value: string;
  /** The parsed value of an object or a list, unless it is a secret that was not requested. */
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
  /** Facts about how the update was started, such as `exec.kind`. */
  environment: Record<string, string>;
  /** The configuration of the update, by full key. */
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
  /** True if the process that holds the lock is known to have ended: it ran on this machine and no longer exists. */
  stale: boolean;
}

/** Confirmation of an action that cannot be undone. */
export interface Consent {
  /** Called after all checks and before the first write. An exception cancels the operation. Default: no confirmation. */
  confirm?: () => Promise<void>;
}

/** A value to be set. */
export interface NewConfigValue {
  key: string;
  value: string;
  /** Whether to encrypt it. Default: false. */
  secret?: boolean;
  /** A list or an object, instead of `value`. */
  objectValue?: unknown;
}

/** The configuration of a stack. Keys have the form `namespace:name`; the default namespace is the project's name. */
export interface ConfigEditor {
  /** All values, safe to print unless secrets are requested. */
  list(options?: { showSecrets?: boolean }): Promise<Map<string, ConfigValue>>;
  /** One value, decrypted if it is a secret; undefined if it is not set. `path`: as for `set`. */
  get(key: string, options?: { path?: boolean }): Promise<ConfigValue | undefined>;
  /** Sets a value. `path`: the key is a path into an object value, such as `data.list[0]`. */
  set(key: string, value: string, options?: { secret?: boolean; path?: boolean }): Promise<void>;
  /** Sets several values with one write of the file. */
  setAll(values: readonly NewConfigValue[], options?: { path?: boolean }): Promise<void>;
  remove(key: string, options?: { path?: boolean }): Promise<void>;
  /** Removes several values with one write of the file. Keys that are not set are ignored. */
  removeAll(keys: readonly string[], options?: { path?: boolean }): Promise<void>;
  /**
   * Replaces all values with those of the last deployment. Rejects if there was no deployment. Resolves to the path of a backup of the
   * old file; with `force` no backup is made.
   */
  refresh(options?: { force?: boolean }): Promise<string | undefined>;
}

/** Edits the state. Each edit makes a backup, and validates the new state before writing it. */
export interface StateEditor {
  /** Resolves to the number of changed resources; so do the next three functions. */
  protect(urns: string[] | "all"): Promise<number>;
  unprotect(urns: string[] | "all"): Promise<number>;
  taint(urns: string[] | "all"): Promise<number>;
  untaint(urns: string[] | "all"): Promise<number>;
  /** Renames a resource. Rejects if a resource of that name and type exists. */
  rename(urn: string, name: string): Promise<void>;
  /** Removes a resource from the state. The object itself is not deleted. */
  delete(urn: string, options?: Consent & { force?: boolean; targetDependents?: boolean }): Promise<void>;
}

export interface Stack {
  readonly name: string;
  readonly project: Project;

  /** Runs an operation. Resolves even if the operation failed: see {@link RunResult}. Rejects if it could not begin. */
  run(operation: Operation, options?: RunOptions): Promise<RunResult>;

  /**
   * Starts processes that the next run needs, such as a provider's, while the caller waits for something else. The run uses them if its
   * environment is the same.
   */
  prepare(operation: Operation, options: RunOptions): Promise<void>;
  /** Ends the prepared processes that no run has used. */
  close(): Promise<void>;

  outputs(options?: { showSecrets?: boolean }): Promise<Record<string, unknown>>;
  resources(options?: { showSecrets?: boolean }): Promise<ResourceView[]>;
  /** `count` entries of the history, starting with the `from`-th; the newest is the first. */
  history(options?: { showSecrets?: boolean; from?: number; count?: number }): Promise<HistoryEntry[]>;
  /**
   * Resolves to a version that is in the history; `previous` is the last successful deployment before the last update. Rejects if it
   * does not exist.
   */
  findVersion(version: number | "previous"): Promise<number>;
  export(options?: { showSecrets?: boolean }): Promise<ExportedDeployment>;
  /** Replaces the state. Unless forced, rejects a state that is inconsistent or belongs to another stack. */
  import(deployment: unknown, options?: Consent & { force?: boolean }): Promise<void>;
  /** Deletes the stack with its history and its configuration file. Unless forced, rejects if it has resources. */
  remove(options?: Consent & { force?: boolean; preserveConfig?: boolean }): Promise<void>;

  readonly config: ConfigEditor;
  readonly state: StateEditor;

  /** The stack's tags. The engine does not use them. */
  tags(): Promise<Record<string, string>>;
  setTags(tags: Record<string, string>): Promise<void>;

  locks(): Promise<LockInfo[]>;
  /** Removes all locks, including those of running processes. Resolves to their number. */
  cancel(): Promise<number>;
}

/** The parts of a resource in the state that `recoverCreate` needs to find another one. */
interface ManagedResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
}

/** A policy pack to enforce. */
export interface PolicyPackSource {
  /** The folder with PulumiPolicy.yaml. */
  directory: string;
  /** A JSON file with the configuration of its policies. */
  configFile?: string;
}

export interface RollbackOptions {
  /** Version in the history: see {@link HistoryEntry}. */
  version: number;
  /** Adds to a resource's inputs what its class passes only to the provider's check. */
  prepare?: (
    resource: { urn: string; type: string; name: string; inputs: Record<string, unknown> },
    dryRun: boolean,
  ) => Promise<Record<string, unknown>>;
}

/** Writes the event log of a run as the Pulumi CLI does, one line of JSON for each event. */
export interface EventStream {
  send(line: string): void;
  /** Resolves when all events have been written. */
  close(): Promise<void>;
}

/** A plan in the format of `pulumi preview --save-plan`. */
export interface DeploymentPlan {
  manifest: Record<string, unknown>;
  /** By URN. */
  resourcePlans?: Record<string, unknown>;
  [unknown: string]: unknown;
}

export interface RunOptions {
  /** Plan only, change nothing. Implied by `run("preview")`; also allowed for refresh and destroy. */
  preview?: boolean;
  onEvent?: (event: EngineEvent) => void;
  /** After the first abort, the run finishes operations in progress, saves the state and releases the lock. */
  signal?: AbortSignal;
  /** Maximum number of provider operations at once. Default: 4 times the number of processors. */
  parallel?: number;
  /** Refresh before the operation; for update, preview and destroy. */
  refresh?: boolean;
  /**
   * Configure providers with the program's current configuration instead of the recorded one. Refresh and destroy then run the program;
   * an update with `refresh` refreshes while the program runs.
   */
  runProgram?: boolean;
  /** Fail if anything changes. */
  expectNoChanges?: boolean;
  /** After a failure, continue with the resources that do not depend on the failed one. */
  continueOnError?: boolean;
  /** For refresh: forget creates that were interrupted. */
  clearPendingCreates?: boolean;
  /**
   * For a create that was interrupted: returns the properties with which to call the provider's `read`, without an ID. `read` returns the
   * object, or no ID if nothing was created. Undefined if the provider cannot find it.
   */
  recoverCreate?: (
    pending: ManagedResource,
    managed: readonly ManagedResource[],
  ) => Record<string, unknown> | undefined;
  /** Operate on these resources only (URNs; `*` and `**` allowed). */
  targets?: string[];
  targetDependents?: boolean;
  /** Operate on all but these resources (URNs; `*` and `**` allowed). */
  excludes?: string[];
  excludeDependents?: boolean;
  /** For destroy: keep protected resources and what they depend on. */
  excludeProtected?: boolean;
  /** Replace these resources even if nothing changed (URNs; `*` and `**` allowed). */
  replaces?: string[];
  /** Policy packs to enforce in update and preview. A mandatory violation stops an update before the resource is changed. */
  policyPacks?: PolicyPackSource[];
  /** Also check the types of a TypeScript program. Slow; `tsc --noEmit` does it better. */
  typeCheck?: boolean;
  /** For update and preview: declare the resources of an earlier deployment instead of running the program. */
  rollback?: RollbackOptions;
  /** Called with the plan after a successful preview. Secrets are encrypted unless `showSecrets` is set. */
  onPlan?: (plan: DeploymentPlan) => void;
  /** Stop the update before a step that this plan does not contain. */
  plan?: DeploymentPlan;
  /**
   * A language runtime, at `host:port` on this machine, that runs the program instead of a new process. `sdkFolder`: the folder whose
   * @pulumi/pulumi the engine loads if the program's folder has none.
   */
  languageRuntime?: { address: string; sdkFolder?: string };
  /** Message to record in the history. */
  message?: string;
  /** Further facts to record in the history about how the run was started, such as `exec.kind`. */
  historyEnvironment?: Record<string, string>;
  /** Configuration for this run only, by full key. */
  config?: Record<string, string>;
  /** Variables to add to the environment of the program and of providers. */
  env?: Record<string, string>;
  /** Include the whole resource, before and after, in the events of steps. */
  withStates?: boolean;
  /** Include the values of secrets in events. */
  showSecrets?: boolean;
  /** Paths of texts in secret outputs, such as `data.name`, that events may contain as plain text. */
  plaintextOutputs?: string[];
}
