/**
 * What the old resource of an object leaves to the one that has adopted it, by a new name or a forced replacement: original
 * values, and that the stack has created it. The state of the next one is written already, so the journal keeps this
 * until its next update or refresh.
 */
import { isSingleton } from "../../core/resource-definition";
import { journalFolder } from "../../ledger/originals-journal";
import type { TransferredOriginal } from "../../state/drift";
import { logAbout, type ResourceContext } from "../resource-context";
import { journalName, nextWrite, originalsOf, unconfirmedWrites, withUnconfirmed } from "../unconfirmed-writes";

/** `nextInstanceId`: of the resource that has the object now. Resolves to whether its state lacks something. */
export async function transferObject(context: ResourceContext, nextInstanceId: string): Promise<boolean> {
  const { session } = context;
  const originals = originalsOf(context);
  const isCreated = await wasCreated(context);
  if (Object.keys(originals).length === 0 && !isCreated) return false;
  const object = await journalName(context);
  // What the journal had already, the next resource has found there.
  const { originals: found } = session.journal.read(object);
  const fields = Object.keys(originals).filter((field) => found[field] !== originals[field]);
  await session.journal.append(object, {
    originals,
    sentFingerprints: {},
    lastWrite: nextWrite(context),
    transferred: transferredOriginals(context),
    createdFor: isCreated ? nextInstanceId : undefined,
  });
  if (isCreated) logAbout(context, `until the next \`up\`, only ${journalFolder} has that this stack has created it`);
  if (fields.length > 0) {
    const what = `until the next \`up\`, only ${journalFolder} has the original value of ${fields.join(", ")}`;
    logAbout(context, `${what} (with the option aliases, the state keeps it)`);
  }
  return isCreated || fields.length > 0;
}

/** True if the object did not exist before the stack. What every account has once always did. */
async function wasCreated(context: ResourceContext): Promise<boolean> {
  if (isSingleton(context.definition)) return false;
  const { metadata } = withUnconfirmed(context, await unconfirmedWrites(context));
  return metadata.adopted !== true;
}

function transferredOriginals(context: ResourceContext): Record<string, TransferredOriginal> {
  const { detector } = context;
  const transferred: Record<string, TransferredOriginal> = {};
  for (const [field, original] of Object.entries(originalsOf(context))) {
    const replacedValue = detector.declared(field);
    if (replacedValue === undefined) continue;
    transferred[field] = { replacedValue, displayedHash: detector.displayedHash(field), original };
  }
  return transferred;
}
