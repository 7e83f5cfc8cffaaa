/** Deletes an object of a collection. */
import { ApiError } from "../../../sdk/errors";
import { longestLag } from "../../../sdk/http/read-lag";
import { unknownLoss } from "../../core/amount";
import { Failure, WriteFailure } from "../../core/failure";
import type { ObjectStoreHandle } from "../../core/object-access";
import { readUntil } from "../../core/read-until";
import { readMaxAge } from "../../core/time-limits";
import { isSurelyGone, statusesOfMissing } from "../../objects/missing-object";
import { alreadyDeleted, unseenFields } from "../../plan/deletion-effect";
import { describeLoss } from "../../plan/describe-effects";
import type { Effect } from "../../plan/effect";
import { refusalOfUnreadable } from "../../resources/company-loss";
import { accountExists } from "../../resources/partner-companies";
import { withCopies } from "../compare-pictures";
import { readObject } from "../read-object";
import { rejectConflicts } from "../reject-conflicts";
import { logAbout, type ResourceContext, readFields } from "../resource-context";

export async function deleteObject(context: ResourceContext): Promise<Effect> {
  const { definition, session, account, key, state, metadata } = context;
  const collection = definition.collection!;
  const deleted: Effect = {
    effect: "delete",
    writes: 1,
    id: account.id(key),
    ...(metadata.adopted && { adopted: true }),
  };
  collection.assertDeletable?.(state);
  if (!(await accountExists(account, metadata.madeAt))) {
    await session.accounts.verifier.verify(metadata);
    return deleted;
  }
  await session.accounts.verifier.verifyBeforeWrite();
  await rejectChanged(context);
  await definition.guard?.(account, { key, fields: undefined, isPreview: false });
  const objects = collection.objects(account);
  objects.recent.note(key, metadata.madeAt);
  if (collection.readLoss !== undefined) {
    const loss = await collection.readLoss(account, key).catch((error: Error) => {
      const refusal = refusalOfUnreadable(error.message, session.connection.config.values.onUnreadable);
      if (refusal !== undefined) throw refusal;
      return unknownLoss(error.message);
    });
    if (loss !== undefined) {
      logAbout(context, `deleted ${describeLoss(loss)}`);
      deleted.loss = loss;
    }
  }
  // Whatever a read has said: reads may lag behind, and only the response to this tells that there is nothing to delete.
  const outcome = await session.ledger.write(context, {}, () => sendUntilKnown(context, objects));
  await objects.removed(key);
  if (outcome === "deleted") return deleted;
  // Nothing was written: it was gone already.
  context.writes.count = 0;
  return { ...deleted, writes: 0, detail: alreadyDeleted };
}

/** As an update, a deletion stops at a change that the plan did not show. What a read does not have, the deletion decides. */
async function rejectChanged(context: ResourceContext): Promise<void> {
  const { item } = await readObject(context, readMaxAge.write).catch((error: Error) => {
    if (error instanceof ApiError && statusesOfMissing.has(error.status)) return { item: undefined };
    throw error;
  });
  if (item === undefined) return;
  const { fields: live } = readFields(context, item);
  const unconfirmed = await context.session.ledger.readUnconfirmed(await withCopies(context, live));
  rejectConflicts(unconfirmed.object, unseenFields(unconfirmed, live), live);
}

/** Sends the request; again, as long as the object is so young that this request may have been answered by what does not have it yet. */
async function sendUntilKnown(
  { definition, session, account, key, writes }: ResourceContext,
  objects: ObjectStoreHandle<unknown>,
): Promise<"deleted" | "missing"> {
  const send = async (): Promise<"deleted" | "missing"> => {
    try {
      writes.count++;
      const isNamed = await definition.collection!.delete(account, key);
      if (!isNamed && !(await objects.isGone(key, longestLag).catch(failAfterDelete))) throw stillExists();
      return "deleted";
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isMissing = () => objects.isGone(key, 0).catch(() => false);
      const isGone = isSurelyGone(error) || (statusesOfMissing.has(error.status) && (await isMissing()));
      if (!isGone) throw error;
      return "missing";
    }
  };
  return readUntil(
    {
      clock: session.run.clock,
      left: (await objects.recent.made()).get(key) ?? 0,
      what: "an object that was just created, and that is to be deleted",
      read: send,
      isShown: (outcome) => outcome === "deleted",
    },
    0,
  );
}

function failAfterDelete(error: unknown): never {
  throw new WriteFailure({}, {}, error, true);
}

const stillExists = () => new Failure("ESIGN1042", "the API reported success, but the object still exists");
