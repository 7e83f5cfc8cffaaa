/**
 * Carries out one step: calls the provider and completes the new state. Knows nothing of order or of files.
 *
 * Serves: Create, Update, Delete and Read of ResourceProvider.
 */

import { messageOf } from "../errors";
import { type Ask, type Step, UNPROTECT_HINT } from "../plan/step";
import type { StepGenerator } from "../plan/step-generator";
import { InitError, type Provider } from "../plugin/provider";
import type { ProviderRegistry } from "../plugin/provider-registry";
import { reuseEqualFields } from "../resource/interning";
import { diffProperties, type PropertyChange } from "../resource/property-diff";
import { isEqual, markSecretOutputs, UNKNOWN } from "../resource/property-value";
import type { ResourceState } from "../resource/state";
import { isProviderType } from "../resource/urn";

export interface StepContext {
  dryRun: boolean;
  providers: ProviderRegistry;
  planner: StepGenerator;
  provider(reference: string): Provider;
  /** Runs a question of the planner's (a diff) to its end. */
  answer<T>(asking: Ask<T>): Promise<T>;
  warn(urn: string, message: string): void;
}

/** What a refresh found. */
export interface RefreshResult {
  op: "same" | "update" | "delete";
  changes: PropertyChange[];
}

export interface StepResult {
  /** The object exists but is not what it should be: recorded, but failed. */
  partial?: Error;
  refresh?: RefreshResult;
}

/** Whether a step calls a provider: only then anything can be lost. */
export function callsProvider(step: Step, planner: StepGenerator): boolean {
  const r = step.new ?? step.old;
  if (r === undefined || !r.custom || isProviderType(r.type)) return false;
  switch (step.op) {
    case "create":
    case "create-replacement":
    case "update":
    case "read":
      return true;
    case "delete":
    case "delete-replaced":
      return !r.external && !r.retainOnDelete && !planner.plan.isDeletedWithAnother(r);
    default:
      return false;
  }
}

const now = (): string => new Date().toISOString();
const seconds = (v: number | undefined): number => v ?? 0;

/** Applies a step. Rejects when nothing came of it. */
export async function applyStep(step: Step, a: StepContext): Promise<StepResult> {
  const result = await dispatch(step, a);
  const state = step.new;
  if (state?.outputs !== undefined && step.op !== "replace") {
    state.outputs = markSecretOutputs(state.outputs, state.inputs, state.additionalSecretOutputs);
    if (state.inputs !== undefined) reuseEqualFields(state.outputs, state.inputs);
  }
  return result;
}

async function dispatch(step: Step, a: StepContext): Promise<StepResult> {
  switch (step.op) {
    case "same":
      return same(step, a);
    case "create":
    case "create-replacement":
      return create(step, a);
    case "update":
      return update(step, a);
    case "delete":
    case "delete-replaced":
      return remove(step, a);
    case "read":
      return read(step, a);
    case "refresh":
      return refresh(step, a);
    default:
      return {};
  }
}

function same(step: Step, a: StepContext): StepResult {
  const { old, new: state } = step;
  if (old === undefined || state === undefined || old === state) return {};
  if (old.id === undefined) delete state.id;
  else state.id = old.id;
  if (old.outputs === undefined) delete state.outputs;
  else state.outputs = old.outputs;
  reuseEqualFields(state, old);
  // With the old inputs: a difference that is none must not reconfigure the provider.
  if (isProviderType(state.type) && !step.isSkippedCreate && !step.isUntargeted)
    a.providers.same({ urn: state.urn, id: old.id as string, inputs: old.inputs ?? {} });
  return {};
}

async function create(step: Step, a: StepContext): Promise<StepResult> {
  const state = step.new as ResourceState;
  const applied: StepResult = {};
  if (isProviderType(state.type)) Object.assign(state, a.providers.create(state));
  else if (state.custom) {
    const provider = a.provider(state.provider as string);
    if (a.dryRun) state.outputs = provider.isConfigured ? (state.inputs ?? {}) : {};
    else
      try {
        Object.assign(
          state,
          await provider.create(state.urn, state.inputs ?? {}, seconds(state.customTimeouts?.create)),
        );
      } catch (error) {
        if (!(error instanceof InitError)) throw error;
        Object.assign(state, { id: error.id, outputs: error.properties, initErrors: error.reasons });
        applied.partial = error;
      }
  }
  state.created = state.modified = now();
  if (step.pendingDelete && step.old) step.old.delete = true;
  return applied;
}

async function update(step: Step, a: StepContext): Promise<StepResult> {
  const state = step.new as ResourceState;
  const old = step.old as ResourceState;
  const applied: StepResult = {};
  if (old.id !== undefined) state.id = old.id;
  if (isProviderType(state.type)) state.outputs = a.providers.update(state, old.id as string);
  else if (state.custom) {
    const provider = a.provider(state.provider as string);
    if (a.dryRun) state.outputs = provider.isConfigured ? (state.inputs ?? {}) : {};
    else
      try {
        state.outputs = await provider.update(
          state.urn,
          old.id as string,
          { inputs: old.inputs ?? {}, outputs: old.outputs ?? {} },
          state.inputs ?? {},
          step.goal?.ignoreChanges ?? [],
          seconds(state.customTimeouts?.update),
        );
      } catch (error) {
        if (!(error instanceof InitError)) throw error;
        // The object is not what the new inputs say: they are not recorded, so that the next run tries again.
        Object.assign(state, { outputs: error.properties, initErrors: error.reasons });
        state.outputs = markSecretOutputs(
          state.outputs as Record<string, never>,
          state.inputs,
          state.additionalSecretOutputs,
        );
        state.inputs = { ...old.inputs };
        applied.partial = error;
      }
  }
  if (state.custom) state.modified = now();
  return applied;
}

async function remove(step: Step, a: StepContext): Promise<StepResult> {
  const old = step.old as ResourceState;
  if (!step.isPartOfReplacement && old.protect) throw new ProtectedError();
  if (!a.dryRun && callsProvider(step, a.planner))
    await a
      .provider(old.provider as string)
      .delete(old.urn, old.id as string, old.inputs ?? {}, old.outputs ?? {}, seconds(old.customTimeouts?.delete));
  // Only now: had the call failed, the next run would have to try again.
  if (step.pendingReplacement) old.pendingReplacement = true;
  return {};
}

/** Other deletions go on after this one. */
export class ProtectedError extends Error {
  constructor() {
    super(`it is protected and was not deleted. ${UNPROTECT_HINT} and run an update, or use \`state unprotect\``);
  }
}

async function read(step: Step, a: StepContext): Promise<StepResult> {
  const state = step.new as ResourceState;
  const old = step.old;
  const applied: StepResult = {};
  if (state.id === UNKNOWN) state.outputs = {};
  else {
    const provider = a.provider(state.provider as string);
    try {
      const found = await provider.read(state.urn, state.id as string, state.inputs ?? {}, state.inputs ?? {});
      state.outputs = found.outputs;
      if (found.id !== "") state.id = found.id;
    } catch (error) {
      if (!(error instanceof InitError)) throw error;
      Object.assign(state, { id: error.id, outputs: error.properties, initErrors: error.reasons });
      applied.partial = error;
    }
  }
  if (step.isPartOfReplacement && old) old.delete = true;
  if (old?.created !== undefined) state.created = old.created;
  if (old?.modified !== undefined) state.modified = old.modified;
  if (old !== undefined && !(isEqual(state.inputs, old.inputs ?? {}) && isEqual(state.outputs, old.outputs ?? {})))
    state.modified = now();
  return applied;
}

/** Reads what there is. The step's new state becomes what was found; it has none when the object is gone. */
async function refresh(step: Step, a: StepContext): Promise<StepResult> {
  const old = step.old as ResourceState;
  const unread = (): StepResult => {
    step.new = step.recordAtOnce ? { ...old } : old;
    return { refresh: { op: "same", changes: [] } };
  };
  if (!old.custom || isProviderType(old.type) || old.pendingReplacement) return unread();
  const provider = a.provider(old.provider as string);
  // A preview may not know how to ask: that is no news of the object.
  if (!provider.isConfigured) return unread();
  let found: Awaited<ReturnType<Provider["read"]>>;
  let initErrors: string[] | undefined;
  try {
    found = await provider.read(old.urn, old.id as string, old.inputs ?? {}, old.outputs ?? {});
  } catch (error) {
    if (!(error instanceof InitError)) throw error;
    // It is there, though not well: that is recorded, and no reason to fail.
    initErrors = error.reasons;
    a.warn(old.urn, `the refreshed resource is not healthy: ${messageOf(error)}`);
    found = { id: error.id, outputs: error.properties, inputs: undefined };
  }
  if (found.id === "") {
    delete step.new;
    return { refresh: { op: "delete", changes: [] } };
  }
  const before = step.recordAtOnce ? (step.new as ResourceState) : old;
  const state: ResourceState = {
    ...before,
    id: found.id,
    inputs: found.inputs ?? old.inputs ?? {},
    outputs: found.outputs,
  };
  if (initErrors === undefined) delete state.initErrors;
  else state.initErrors = initErrors;
  const outputsChanged = !isEqual(state.outputs, old.outputs ?? {});
  // Of an object that is only read, missing inputs count as a change.
  const inputs = old.external ? (found.inputs ?? {}) : state.inputs;
  if (outputsChanged || !isEqual(inputs, old.inputs ?? {})) state.modified = now();
  step.new = state;
  if (old.external)
    return {
      refresh: { op: outputsChanged ? "update" : "same", changes: diffProperties(old.outputs ?? {}, found.outputs) },
    };
  // What an update would do right now, seen from the other side.
  const diff = await a.answer(
    a.planner.inquiry.diff(
      state,
      state.inputs ?? {},
      found.outputs,
      old.inputs ?? {},
      old.provider as string,
      old.ignoreChanges ?? [],
      old.urn,
    ),
  );
  return {
    refresh: {
      op: diff.changes === "some" ? "update" : "same",
      changes: diffProperties(old.outputs ?? {}, found.outputs),
    },
  };
}
