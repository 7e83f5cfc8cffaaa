/** A read without an ID: by it an engine has a provider look for what an interrupted create has made, in either form. */
import type { Properties } from "./pulumi-values";

const managedIdsMember = "__managed";

/** What is read. `managedIds`: those of the objects that the state has. */
export const recoverQuery = (inputs: Properties, managedIds: readonly string[]): Properties => ({
  ...inputs,
  [managedIdsMember]: managedIds,
});

export function parseRecoverQuery(properties: Properties): { inputs: Properties; managedIds: readonly string[] } {
  const { [managedIdsMember]: managedIds = [], ...inputs } = properties;
  return { inputs, managedIds: managedIds as string[] };
}
