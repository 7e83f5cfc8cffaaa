/**
 * The events of a run: the only interface between the engine and its displays (for people, `--json`, and tests). All values in events are
 * safe to print: a secret is "[secret]", an unknown value "[unknown]", a value that the option hideDiffs names "[hidden]". See
 * `toPrintable` in property-value.ts.
 */

/** The four operations on a stack. */
export type Operation = "preview" | "update" | "refresh" | "destroy";

/** What happens to one resource; the names are those of Pulumi's own event log. */
export type StepOp =
  | "same"
  | "create"
  | "update"
  | "delete"
  | "replace"
  | "create-replacement"
  | "delete-replaced"
  | "read"
  | "refresh"
  | "import"
  | "discard"
  | "remove-pending-replace";

/** True for the deletion of an object, by itself or as a part of a replacement. */
export const isDeletion = (op: string): boolean => op === "delete" || op === "delete-replaced";

/** One changed property of an update or a replacement. */
export interface PropertyDiff {
  /** Path in the form that users write: `tags[0].name`. */
  path: string;
  kind: "add" | "delete" | "update";
  /** True if the change of this property replaces the resource. */
  replaces: boolean;
  /** The old value, safe to print; absent for `add`. */
  before?: unknown;
  /** The new value, safe to print; absent for `delete`. */
  after?: unknown;
}

/** A resource before or after a step. Values are safe to print. */
export interface StateInfo {
  urn: string;
  type: string;
  custom: boolean;
  id?: string;
  parent?: string;
  provider?: string;
  delete?: boolean;
  protect?: boolean;
  taint?: boolean;
  external?: boolean;
  retainOnDelete?: boolean;
  initErrors?: string[];
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
}

/** One step: one resource, one operation. */
export interface StepInfo {
  op: StepOp;
  urn: string;
  type: string;
  name: string;
  /** URN of the parent; absent for the stack itself. */
  parent?: string;
  id?: string;
  /** False for components and for the stack. */
  custom: boolean;
  /** Property changes; for update, replace and refresh steps. */
  diffs?: PropertyDiff[];
  /** Resource options that change, such as `protect`. Providers are not called for them, so a step of kind "same" may have some. */
  options?: PropertyDiff[];
  /** Inputs of the created or deleted resource, for `--diff`; safe to print. */
  inputs?: Record<string, unknown>;
  /** True if the deletion only removes the resource from the state (`retainOnDelete`). */
  retained?: boolean;
  /** Result of a refresh: unchanged, changed, or the object no longer exists. */
  result?: "same" | "update" | "delete";
  /** Why the step is necessary, if `diffs` do not show it. */
  reason?: string;
  /** The resource before and after the step; only with the option `withStates`. */
  states?: { old?: StateInfo; new?: StateInfo };
}

export type EngineEvent =
  | {
      type: "start";
      operation: Operation;
      /** True for a preview, including the one before an update, refresh or destroy. */
      preview: boolean;
      project: string;
      stack: string;
      /** Version of the program's @pulumi/pulumi, if known. */
      sdkVersion?: string;
      /** Newest version of @pulumi/pulumi that the engine is tested with; set only if the program's version is newer. */
      sdkTested?: string;
    }
  /** A step was planned (preview), begun, or ended. */
  | { type: "step"; status: "planned" | "started" | "done" | "failed"; step: StepInfo; elapsedMs?: number }
  /** A line of output from the program, a provider or the engine. */
  | {
      type: "diagnostic";
      severity: "debug" | "info" | "warning" | "error";
      message: string;
      urn?: string;
      source: "program" | "provider" | "engine";
      /** True if the line was written to stderr. */
      stderr?: boolean;
      /** True for a status line, such as what a provider waits for. Displays remove it when another event or an empty message comes. */
      ephemeral?: boolean;
    }
  /** Stack outputs before and after the operation, safe to print. An output that is only in `before` was removed. */
  | { type: "outputs"; outputs: Record<string, unknown>; before: Record<string, unknown> }
  | { type: "cancelling"; inFlight: number }
  | { type: "end"; result: RunResult };

/** Number of resources by operation, including `same`. */
export type Changes = Partial<Record<StepOp, number>>;

/** What leaves a resource as it was: to read it says nothing of a change, and what a refresh has found is counted by its result. */
const unchanging: ReadonlySet<string> = new Set(["same", "read", "refresh"] satisfies StepOp[]);

/** The counts of what changes. */
export const changesOf = (counts: Partial<Record<string, number>>): [operation: string, count: number][] =>
  Object.entries(counts).flatMap(([op, count = 0]) => (count > 0 && !unchanging.has(op) ? [[op, count]] : []));

/** True if a run changes a resource, or would change one. */
export const hasChanges = (counts: Partial<Record<string, number>>): boolean => changesOf(counts).length > 0;

/** How an operation ended. */
export interface RunResult {
  operation: Operation;
  preview: boolean;
  ok: boolean;
  /** True if the user cancelled the run. */
  cancelled: boolean;
  changes: Changes;
  durationMs: number;
  /** Stack outputs, safe to print. */
  outputs: Record<string, unknown>;
  /** Number of writes of the state. */
  stateWrites: number;
}
