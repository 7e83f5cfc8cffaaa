/** Imports one object: reads it by its ID. */
import type { Step } from "../../plan/step";
import type { ResourceState } from "../../resource/resource-state";
import { readWithWarning } from "./read-with-warning";
import type { StepContext, StepResult } from "./step-result";

export async function applyImport(step: Step, { provider, events }: StepContext): Promise<StepResult> {
  const state = step.new as ResourceState;
  const importer = provider(state.provider as string);
  const id = state.importID as string;
  if (!importer.isConfigured) return { state: { id, inputs: {}, outputs: {} } };
  const asked = { ...state, id, inputs: {} };
  const object = await readWithWarning(importer, asked, (message) => events.diagnostic("warning", message, state.urn));
  if (object.id === "") throw new Error(`there is nothing to import: no object has the id ${id}`);
  if (object.inputs === undefined) throw new Error("its provider cannot import objects");
  const { initErrors, ...fields } = object;
  const time = new Date().toISOString();
  return { state: { ...fields, created: time, modified: time, ...(initErrors && { initErrors }) } };
}
