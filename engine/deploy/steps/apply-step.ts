/**
 * Applies one step: calls the provider, and returns what changes. It does not change any state, and does not depend on the order
 * of steps or on files.
 *
 * Used for: Create, Update, Delete and Read of ResourceProvider.
 */

import { ProtectedError } from "../../plan/protection";
import type { Step } from "../../plan/step";
import { isEqual, markSecretOutputs } from "../../resource/property-value";
import { InitError } from "../../resource/provider-interface";
import type { ResourceState } from "../../resource/resource-state";
import { UNKNOWN } from "../../resource/signatures";
import { isProviderType } from "../../resource/urn";
import { applyImport } from "./apply-import";
import { applyRefresh } from "./apply-refresh";
import type { StepContext, StepResult } from "./step-result";

/** Rejects when nothing changed. */
export async function applyStep(step: Step, context: StepContext): Promise<StepResult> {
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

function applySame(step: Step, { providers }: StepContext): StepResult {
  const { old, new: state } = step;
  if (old === undefined || state === undefined || old === state) return {};
  // With the old inputs: a change that is not an update must not reconfigure the provider.
  if (isProviderType(state.type) && !step.isSkippedCreate && !step.isUntargeted)
    providers.same({ urn: state.urn, id: old.id as string, inputs: old.inputs ?? {} });
  return { state: { id: old.id, outputs: old.outputs } };
}

async function applyCreate(step: Step, context: StepContext): Promise<StepResult> {
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

async function createObject(state: ResourceState, { dryRun, providers, provider }: StepContext): Promise<Created> {
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

async function applyUpdate(step: Step, { dryRun, providers, provider }: StepContext): Promise<StepResult> {
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

async function applyDelete(step: Step, { dryRun, provider }: StepContext): Promise<StepResult> {
  const old = step.old as ResourceState;
  if (!step.isPartOfReplacement && old.protect) throw new ProtectedError();
  const { urn, id, inputs = {}, outputs = {}, customTimeouts } = old;
  if (!dryRun && step.callsProvider)
    await provider(old.provider as string).delete(urn, id as string, inputs, outputs, customTimeouts?.delete ?? 0);
  return step.pendingReplacement ? { old: { pendingReplacement: true } } : {};
}

async function applyRead(step: Step, { provider }: StepContext): Promise<StepResult> {
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

async function readObject(state: ResourceState, provider: StepContext["provider"]): Promise<Created> {
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
