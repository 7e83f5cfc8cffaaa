/**
 * What a run reports: the one interface between the engine and a display (people), `--json`
 * (machines) and tests. Values in events are safe to print: a secret is the text "[secret]", an unknown value is
 * "[unknown]", what the option hideDiffs names is "[hidden]"; see `toPrintable` in property-value.ts.
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

/** One changed property of an update or a replacement. */
export interface PropertyDiff {
  /** The path as people write it: `tags[0].name`. */
  path: string;
  kind: "add" | "delete" | "update";
  /** True when a change of this property replaces the resource. */
  replaces: boolean;
  /** Safe to print, absent for `add`. */
  before?: unknown;
  /** Safe to print, absent for `delete`. */
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
  /** False for components and the stack. */
  custom: boolean;
  /** Property changes, for update, replace and refresh steps. */
  diffs?: PropertyDiff[];
  /** Options that change, such as `protect`, also of what is otherwise the same: no provider is called for them. */
  options?: PropertyDiff[];
  /** Inputs (safe to print) of what is created, or of what is deleted: for `--diff`. */
  inputs?: Record<string, unknown>;
  /** True when only the state forgets what is deleted: the object stays (`retainOnDelete`). */
  retained?: boolean;
  /** What a refresh found: nothing new, a change, or that the object is gone. */
  result?: "same" | "update" | "delete";
  /** Why the step is necessary, where `diffs` do not tell. */
  reason?: string;
  /** The resource before and after the step, where the option `withStates` asks for it. */
  states?: { old?: StateInfo; new?: StateInfo };
}

export type EngineEvent =
  | {
      type: "start";
      operation: Operation;
      /** True for the preview that precedes an update, refresh or destroy. */
      preview: boolean;
      project: string;
      stack: string;
      /** Version of the program's @pulumi/pulumi, where it is known. */
      sdkVersion?: string;
      /** The newest version that the engine is tested with, when the program's is newer. */
      sdkTested?: string;
    }
  /** A step was planned (preview), begun, or ended. */
  | { type: "step"; status: "planned" | "started" | "done" | "failed"; step: StepInfo; elapsedMs?: number }
  /** A line from the program, a provider or the engine. */
  | {
      type: "diagnostic";
      severity: "debug" | "info" | "warning" | "error";
      message: string;
      urn?: string;
      source: "program" | "provider" | "engine";
      /** True for a line that was written to stderr. */
      stderr?: boolean;
      /** True for what is shown only until something else happens, or an empty message comes, such as what a provider waits for. */
      ephemeral?: boolean;
    }
  /** Stack outputs after the operation, safe to print; absent ones were removed. */
  | { type: "outputs"; outputs: Record<string, unknown>; before: Record<string, unknown> }
  | { type: "cancelling"; inFlight: number }
  | { type: "end"; result: RunResult };

/** How an operation ended. */
export interface RunResult {
  operation: Operation;
  preview: boolean;
  ok: boolean;
  /** True when the run was cancelled by the user. */
  cancelled: boolean;
  /** Number of resources per operation, `same` included. */
  changes: Partial<Record<StepOp, number>>;
  durationMs: number;
  /** Safe to print. */
  outputs: Record<string, unknown>;
  /** How often the state was written. */
  stateWrites: number;
}
