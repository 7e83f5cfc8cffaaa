/** Deletes an object of a collection. */
import { ApiError } from "../../../sdk/errors";
import { unknownLoss } from "../../core/amount";
import { Failure, WriteFailure } from "../../core/failure";
import { isSurelyGone, statusesOfMissing } from "../../objects/object-store";
import type { Effect } from "../../plan/effect";
import { describeLoss } from "../../plan/words";
import { accountExists } from "../../resources/company";
import { logAbout, type ResourceContext } from "../resource-context";

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
  if (!(await accountExists(account))) {
    await session.accountVerifier.verify(metadata);
    return deleted;
  }
  await session.accountVerifier.verifyBeforeWrite();
  await definition.guard?.(account, { key, fields: undefined, isPlan: false });
  const objects = collection.objects(account);
  if (collection.readLoss !== undefined) {
    const loss = await collection.readLoss(account, key).catch((error: Error) => {
      if (session.settings.values.onUnreadable === "delete") return unknownLoss(error.message);
      throw new Failure(
        "ESIGN1041",
        `not deleted: its envelopes could not be counted (${error.message})`,
        "Rerun later, or set ESIGN_ON_UNREADABLE=delete to delete it anyway",
      );
    });
    if (loss === undefined) {
      objects.removed(key);
      return deleted;
    }
    logAbout(context, `deleted ${describeLoss(loss)}`);
    deleted.loss = loss;
  }
  try {
    await session.ledger.write(context, {}, async () => {
      context.writes.count++;
      const isNamed = await collection.delete(account, key);
      if (!isNamed && (await objects.one(key).catch(failAfterDelete)) !== undefined) throw stillExists();
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isMissing = async () => (await objects.one(key).catch(() => error)) === undefined;
    const isGone = isSurelyGone(error) || (statusesOfMissing.has(error.status) && (await isMissing()));
    if (!isGone) throw error;
  }
  objects.removed(key);
  return deleted;
}

function failAfterDelete(error: unknown): never {
  throw new WriteFailure({}, {}, error, true);
}

const stillExists = () =>
  new Failure(
    "ESIGN1042",
    "the API reported success, but the object still exists",
    "Rerun; if it repeats, contact support",
  );
