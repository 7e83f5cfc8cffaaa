/** Refreshes one resource: reads it, and compares it with the state. */
import type { Step } from "../../plan/step";
import { diffProperties } from "../../resource/property-diff";
import { isEqual } from "../../resource/property-value";
import type { ResourceState } from "../../resource/resource-state";
import { isProviderType } from "../../resource/urn";
import { readWithWarning } from "./read-with-warning";
import type { StepContext, StepResult } from "./step-result";

export async function applyRefresh(step: Step, { provider, queries, events }: StepContext): Promise<StepResult> {
  const old = step.old as ResourceState;
  const unread: StepResult = {
    refreshed: step.recordAtOnce ? { ...old } : old,
    refresh: { op: "same", changes: [] },
  };
  if (!old.custom || isProviderType(old.type) || old.pendingReplacement) return unread;
  const reader = provider(old.provider as string);
  // In a preview, the provider's configuration may be unknown: then the object is not read.
  if (!reader.isConfigured) return unread;
  const { initErrors, ...object } = await readWithWarning(reader, old, (message) =>
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
  if (haveOutputsChanged || !isEqual(liveInputs, old.inputs ?? {})) state.modified = new Date().toISOString();
  const changes = diffProperties(old.outputs ?? {}, object.outputs);
  if (old.external) return { refreshed: state, refresh: { op: haveOutputsChanged ? "update" : "same", changes } };
  // The diff from the actual object to the old inputs: what an update would do now.
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
