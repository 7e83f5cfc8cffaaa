/**
 * Deletes a resource whose object now belongs to another resource: the object stays. The other resource has adopted it (with a new name,
 * or in a forced replacement), or managed it before.
 */
import { isSingleton } from "../../core/resource-definition";
import { journalFolder } from "../../recovery/journal-file";
import type { Owner } from "../../session/current-owners";
import { logAbout, type ResourceContext } from "../resource-context";

/** Why the object is not deleted. */
export const adoptedByOther = "another resource of this program has adopted it";

/** `owner`: the resource that has the object now. Resolves to whether its state lacks something. */
export async function transferObject(context: ResourceContext, owner: Owner): Promise<boolean> {
  const { definition, metadata, session } = context;
  if (isSingleton(definition) && metadata.adopted !== true && isOlder(owner, metadata)) {
    await session.ledger.returnTo(owner.instanceId, context);
    logAbout(context, "the other resource had it before: its next update undoes what this one has changed");
    return true;
  }
  const { isCreated, fields } = await session.ledger.transfer(context, owner.instanceId);
  if (isCreated) logAbout(context, `this stack created it, which only ${journalFolder} records until the next \`up\``);
  if (fields.length > 0) {
    const what = `until the next \`up\`, only ${journalFolder} has the original value of ${fields.join(", ")}`;
    logAbout(context, `${what} (with the option aliases, the state keeps it)`);
  }
  return isCreated || fields.length > 0;
}

/** True for what has not adopted the object from the other one, but had it before. */
const isOlder = (one: Pick<Owner, "madeAt">, other: Pick<Owner, "madeAt">): boolean =>
  one.madeAt !== undefined && other.madeAt !== undefined && one.madeAt < other.madeAt;
