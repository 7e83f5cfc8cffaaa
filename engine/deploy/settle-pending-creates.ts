/**
 * Finds out what became of creates that an earlier run did not finish. The state has neither their ID nor outputs, so providers that
 * support it are asked for the object. It is recorded as if the create had finished.
 *
 * Used for: `pending_operations` of the state.
 */

import { messageOf, ShuttingDown } from "../errors";
import { isEqual, markSecretOutputs, type ValueMap } from "../resource/property-value";
import type { ResourceState } from "../resource/resource-state";
import type { DeploymentContext } from "./deployment-context";

/** Reports creates with an unknown outcome. A `destroy` fails: it would leave the object in the account without a record of it. */
export async function settlePendingCreates(context: DeploymentContext): Promise<void> {
  const { events, lifecycle, operation } = context;
  const inDoubt = await settle(context);
  const isFatal = operation === "destroy" && inDoubt.size > 0;
  for (const [urn, reason] of inDoubt)
    events.diagnostic(isFatal ? "error" : "warning", `an interrupted deployment may have created it: ${reason}`, urn);
  if (!isFatal) return;
  lifecycle.fail("nothing was deleted: a deployment was interrupted, and what it has created is not known");
  throw new ShuttingDown();
}

/**
 * Settles the pending creates that this run has not repeated with the same inputs, if their providers support it. Returns the
 * reasons why others are not settled, by URN.
 */
async function settle(context: DeploymentContext): Promise<Map<string, string>> {
  const { pendingOperations = [], recoverCreate, plan, news, snapshot, targets, lifecycle } = context;
  const inDoubt = new Map<string, string>();
  // A create with other inputs has not looked for the object that these inputs may have created.
  const isRepeated = ({ urn, inputs = {} }: ResourceState) =>
    plan.urns.has(urn) &&
    !plan.sames.has(urn) &&
    !plan.updates.has(urn) &&
    isEqual(inputs, news.get(urn)?.inputs ?? inputs);
  const managed = [...plan.resources, ...news.values()];
  const pending = pendingOperations.flatMap(({ type, resource }) => {
    if (type !== "creating" || !targets.has(resource.urn) || isRepeated(resource)) return [];
    const query = recoverCreate?.(resource, managed);
    return query === undefined ? [] : [{ resource, query: query as ValueMap }];
  });
  const recovered: ResourceState[] = [];
  const settleOne = async ({ resource, query }: { resource: ResourceState; query: ValueMap }): Promise<void> => {
    const { urn } = resource;
    // An incomplete replacement, or a create with other inputs: this object is deleted, and the one that the program declares is kept.
    const current = news.get(urn) ?? plan.olds.get(urn);
    try {
      const found = await recover(context, resource, query);
      if (found !== undefined)
        recovered.push(current && !current.pendingReplacement ? { ...found, delete: true } : found);
      snapshot.resolveCreate(urn);
    } catch (error) {
      // A later run has completed the create, but did not record that.
      if (current !== undefined) snapshot.resolveCreate(urn);
      else inDoubt.set(urn, messageOf(error));
    }
  };
  await Promise.all(pending.map(settleOne));
  if (recovered.length > 0) {
    const replaced = new Set(recovered.filter((r) => !r.delete).map((r) => r.urn));
    const resources = [...plan.resources.filter((r) => !(r.pendingReplacement && replaced.has(r.urn))), ...recovered];
    snapshot.rebase(resources, []);
    plan.rebase(resources);
    for (const { urn, id } of recovered)
      context.events.diagnostic("info", `found in the account what an interrupted deployment has created (${id})`, urn);
  }
  lifecycle.throwIfStopped();
  return inDoubt;
}

/** Undefined if nothing was created. Throws if that cannot be known. */
async function recover(
  context: DeploymentContext,
  resource: ResourceState,
  query: ValueMap,
): Promise<ResourceState | undefined> {
  const provider = context.provider(resource.provider as string);
  const { id, outputs } = await provider.read(resource.urn, "", query, query);
  if (id === "") return undefined;
  const created = new Date().toISOString();
  const marked = markSecretOutputs(outputs, resource.inputs, resource.additionalSecretOutputs);
  return { ...resource, id, outputs: marked, created, modified: created };
}
