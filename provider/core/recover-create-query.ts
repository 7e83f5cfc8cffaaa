/** A `read` without an ID: with it, either engine asks the provider for the object that an interrupted create may have created. */
import type { Properties } from "./pulumi-values";

const managedIdsMember = "__managed";

/** What is read. `managedIds`: those of the objects that the state has. */
export const recoverCreateQuery = (inputs: Properties, managedIds: readonly string[]): Properties => ({
  ...inputs,
  [managedIdsMember]: managedIds,
});

export function parseRecoverCreateQuery(properties: Properties): { inputs: Properties; managedIds: readonly string[] } {
  const { [managedIdsMember]: managedIds = [], ...inputs } = properties;
  return { inputs, managedIds: managedIds as string[] };
}
