/**
 * Deletes a resource whose object now belongs to another resource: the object stays. The other resource has adopted it (with a new name,
 * or in a forced replacement), or managed it before.
 */
import { isSingleton } from "../../core/resource-definition";
import type { Effect } from "../../plan/effect";
import { unadoptedFields } from "../../plan/restore-effect";
import { journalFolder } from "../../recovery/journal-file";
import type { Owner } from "../../session/current-owners";
import { DriftDetector } from "../../state/drift";
import { logAbout, type ResourceContext } from "../resource-context";
import { restoreSingleton } from "./restore-singleton";

/** Why the object is not deleted. */
export const adoptedByOther = "another resource of this program has adopted it";

/** `owner`: the resource that has the object now. What it does not declare is restored. */
export async function transferObject(context: ResourceContext, owner: Owner): Promise<Effect> {
  const { account, definition, detector, key, metadata, session, state } = context;
  const release: Effect = { effect: "release", writes: 0, id: account.id(key), detail: adoptedByOther };
  if (isSingleton(definition) && metadata.adopted !== true && isOlder(owner, metadata)) {
    await session.ledger.returnTo(owner.instanceId, context);
    logAbout(context, "the other resource had it before: its next update undoes what this one has changed");
    return { ...release, needsUpdate: true };
  }
  const unadopted = unadoptedFields(detector, owner.fields);
  const restored = unadopted.length > 0 ? await restoreSingleton(context, owner.fields) : release;
  const kept = Object.entries(detector.fieldStates).filter(([field]) => !unadopted.includes(field));
  const transferred = { ...context, detector: new DriftDetector(definition, state, Object.fromEntries(kept)) };
  const { isCreated, fields } = await session.ledger.transfer(transferred, owner.instanceId);
  if (isCreated) logAbout(context, `this stack created it, which only ${journalFolder} records until the next \`up\``);
  if (fields.length > 0) {
    const what = `until the next \`up\`, only ${journalFolder} has the original value of ${fields.join(", ")}`;
    logAbout(context, `${what} (with the option aliases, the state keeps it)`);
  }
  const needsUpdate = isCreated || fields.length > 0;
  return { ...(restored.effect === "restore" ? restored : release), needsUpdate };
}

/** True for what has not adopted the object from the other one, but had it before. */
const isOlder = (one: Pick<Owner, "madeAt">, other: Pick<Owner, "madeAt">): boolean =>
  one.madeAt !== undefined && other.madeAt !== undefined && one.madeAt < other.madeAt;
