/**
 * Applies one step: calls the provider, and returns what changes. It does not change any state, nor does it know of order
 * or files.
 *
 * Used for: Create, Update, Delete and Read of ResourceProvider.
 */

import { messageOf } from "../../errors";
import { ProtectedError } from "../../plan/protection";
import type { Step } from "../../plan/step";
import { diffProperties } from "../../resource/property-diff";
import { isEqual, markSecretOutputs } from "../../resource/property-value";
import { InitError, type Provider } from "../../resource/provider-interface";
import type { ResourceState } from "../../resource/resource-state";
import { UNKNOWN } from "../../resource/signatures";
import { isProviderType } from "../../resource/urn";
import type { DeploymentContext } from "../deployment-context";
import type { RefreshResult } from "./step-events";

export type Fields = { [Name in keyof ResourceState]?: ResourceState[Name] | undefined };

/** What a step changes. A field that is undefined is removed. */
export interface StepResult {
  /** Fields of the new state. */
  state?: Fields;
  /** Fields of the old state. */
  old?: Fields;
  /** refresh: the state that takes the place of the new one; undefined if the object no longer exists. */
  refreshed?: ResourceState | undefined;
  refresh?: RefreshResult;
  /** The object exists but was not initialised: it is recorded, and the step fails. */
  initError?: InitError;
}

type Context = Pick<DeploymentContext, "dryRun" | "providers" | "provider" | "queries" | "events">;

/** Rejects when nothing changed. */
export async function applyStep(step: Step, context: Context): Promise<StepResult> {
  switch (step.op) {
    case "same":
      return applySame(step, context);
    case "create":
    case "create-replacement":
      return applyCreate(step, context);
    case "update":
      return applyUpdate(step, context);
    case "delete":
    case "delete-replaced":
      return applyDelete(step, context);
    case "read":
      return applyRead(step, context);
    case "import":
      return applyImport(step, context);
    case "refresh":
      return applyRefresh(step, context);
    default:
      return {};
  }
}

const now = (): string => new Date().toISOString();

function applySame(step: Step, { providers }: Context): StepResult {
  const { old, new: state } = step;
  if (old === undefined || state === undefined || old === state) return {};
  // With the old inputs: a change that is not an update must not reconfigure the provider.
  if (isProviderType(state.type) && !step.isSkippedCreate && !step.isUntargeted)
    providers.same({ urn: state.urn, id: old.id as string, inputs: old.inputs ?? {} });
  return { state: { id: old.id, outputs: old.outputs } };
}

async function applyCreate(step: Step, context: Context): Promise<StepResult> {
  const state = step.new as ResourceState;
  const { initError, ...created } = await createObject(state, context);
  const time = now();
  return {
    state: { ...created, created: time, modified: time },
    ...(step.pendingDelete && { old: { delete: true } }),
    ...(initError && { initError }),
  };
}

type Created = Partial<ResourceState> & { initError?: InitError };

async function createObject(state: ResourceState, { dryRun, providers, provider }: Context): Promise<Created> {
  if (isProviderType(state.type)) return providers.create(state);
  if (!state.custom) return {};
  const creator = provider(state.provider as string);
  if (dryRun && !creator.isConfigured) return { outputs: {} };
  try {
    const { id, outputs } = await creator.create(
      state.urn,
      state.inputs ?? {},
      state.customTimeouts?.create ?? 0,
      dryRun,
    );
    return { outputs, ...(id !== "" && { id }) };
  } catch (initError) {
    if (!(initError instanceof InitError)) throw initError;
    const { id, properties: outputs, reasons: initErrors } = initError;
    return { id, outputs, initErrors, initError };
  }
}

async function applyUpdate(step: Step, { dryRun, providers, provider }: Context): Promise<StepResult> {
  const state = step.new as ResourceState;
  const old = step.old as ResourceState;
  const id = old.id as string;
  if (!state.custom) return {};
  if (isProviderType(state.type)) return { state: { outputs: providers.update(state, id), modified: now() } };
  const updater = provider(state.provider as string);
  if (dryRun && !updater.isConfigured) return { state: { outputs: {}, modified: now() } };
  try {
    const outputs = await updater.update(
      state.urn,
      id,
      { inputs: old.inputs ?? {}, outputs: old.outputs ?? {} },
      state.inputs ?? {},
      step.goal?.ignoreChanges ?? [],
      state.customTimeouts?.update ?? 0,
      dryRun,
    );
    return { state: { outputs, modified: now() } };
  } catch (initError) {
    if (!(initError instanceof InitError)) throw initError;
    const outputs = markSecretOutputs(initError.properties, state.inputs, state.additionalSecretOutputs);
    // The object does not have the new inputs: they are not recorded, so that the next run updates it again.
    const inputs = { ...old.inputs };
    return { state: { outputs, inputs, initErrors: initError.reasons, modified: now() }, initError };
  }
}

async function applyDelete(step: Step, { dryRun, provider }: Context): Promise<StepResult> {
  const old = step.old as ResourceState;
  if (!step.isPartOfReplacement && old.protect) throw new ProtectedError();
  const { urn, id, inputs = {}, outputs = {}, customTimeouts } = old;
  if (!dryRun && step.callsProvider)
    await provider(old.provider as string).delete(urn, id as string, inputs, outputs, customTimeouts?.delete ?? 0);
  return step.pendingReplacement ? { old: { pendingReplacement: true } } : {};
}

async function applyRead(step: Step, { provider }: Context): Promise<StepResult> {
  const { old, new: state } = step as { old?: ResourceState; new: ResourceState };
  const { initError, ...fields } = await readObject(state, provider);
  const isChanged =
    old !== undefined && !(isEqual(state.inputs, old.inputs ?? {}) && isEqual(fields.outputs, old.outputs ?? {}));
  return {
    state: {
      ...fields,
      ...(old?.created !== undefined && { created: old.created }),
      ...(old?.modified !== undefined && { modified: old.modified }),
      ...(isChanged && { modified: now() }),
    },
    ...(step.isPartOfReplacement && { old: { delete: true } }),
    ...(initError && { initError }),
  };
}

async function readObject(state: ResourceState, provider: Context["provider"]): Promise<Created> {
  if (state.id === UNKNOWN) return { outputs: {} };
  const { urn, id, inputs = {} } = state;
  try {
    const { id: actualId, outputs } = await provider(state.provider as string).read(urn, id as string, inputs, inputs);
    return { outputs, ...(actualId !== "" && { id: actualId }) };
  } catch (initError) {
    if (!(initError instanceof InitError)) throw initError;
    return { id: initError.id, outputs: initError.properties, initErrors: initError.reasons, initError };
  }
}

async function applyRefresh(step: Step, { provider, queries, events }: Context): Promise<StepResult> {
  const old = step.old as ResourceState;
  const unread: StepResult = {
    refreshed: step.recordAtOnce ? { ...old } : old,
    refresh: { op: "same", changes: [] },
  };
  if (!old.custom || isProviderType(old.type) || old.pendingReplacement) return unread;
  const reader = provider(old.provider as string);
  // A preview may lack the configuration to read: that says nothing about the object.
  if (!reader.isConfigured) return unread;
  const { initErrors, ...object } = await readForRefresh(reader, old, (message) =>
    events.diagnostic("warning", message, old.urn),
  );
  if (object.id === "") return { refreshed: undefined, refresh: { op: "delete", changes: [] } };
  const before = step.recordAtOnce ? (step.new as ResourceState) : old;
  const inputs = object.inputs ?? old.inputs ?? {};
  const { initErrors: _oldErrors, ...rest } = before;
  const state: ResourceState = { ...rest, id: object.id, inputs, outputs: object.outputs };
  if (initErrors !== undefined) state.initErrors = initErrors;
  const haveOutputsChanged = !isEqual(object.outputs, old.outputs ?? {});
  // Missing inputs of an object that is only read count as a change.
  const liveInputs = old.external ? (object.inputs ?? {}) : inputs;
  if (haveOutputsChanged || !isEqual(liveInputs, old.inputs ?? {})) state.modified = now();
  const changes = diffProperties(old.outputs ?? {}, object.outputs);
  if (old.external) return { refreshed: state, refresh: { op: haveOutputsChanged ? "update" : "same", changes } };
  // What an update would do now, seen from the other side.
  const diff = await queries.diff({
    urn: old.urn,
    id: object.id,
    provider: old.provider as string,
    oldInputs: inputs,
    oldOutputs: object.outputs,
    inputs: old.inputs ?? {},
    ignoreChanges: old.ignoreChanges ?? [],
  });
  return { refreshed: state, refresh: { op: diff.changes === "some" ? "update" : "same", changes } };
}

async function applyImport(step: Step, { provider, events }: Context): Promise<StepResult> {
  const state = step.new as ResourceState;
  const importer = provider(state.provider as string);
  const id = state.importID as string;
  if (!importer.isConfigured) return { state: { id, inputs: {}, outputs: {} } };
  const asked = { ...state, id, inputs: {} };
  const object = await readForRefresh(importer, asked, (message) => events.diagnostic("warning", message, state.urn));
  if (object.id === "") throw new Error(`there is nothing to import: no object has the id ${id}`);
  if (object.inputs === undefined) throw new Error("its provider cannot import objects");
  const { initErrors, ...fields } = object;
  const time = now();
  return { state: { ...fields, created: time, modified: time, ...(initErrors && { initErrors }) } };
}

type ReadObject = Awaited<ReturnType<Provider["read"]>> & { initErrors?: string[] };

/** An object that exists but was not initialised is recorded, and does not fail the refresh or import. */
async function readForRefresh(
  provider: Provider,
  { urn, id, inputs = {}, outputs = {} }: ResourceState,
  warn: (message: string) => void,
): Promise<ReadObject> {
  try {
    return await provider.read(urn, id as string, inputs, outputs);
  } catch (error) {
    if (!(error instanceof InitError)) throw error;
    warn(`the refreshed resource is not healthy: ${messageOf(error)}`);
    return { id: error.id, outputs: error.properties, inputs: undefined, initErrors: error.reasons };
  }
}
