/** Deletes an object through the service: a webhook or a company. */
import { ApiError } from "../../sdk/errors";
import { Failure, WriteFailure } from "../core/failure";
import { isSurelyGone, statusesOfMissing } from "../objects/object-store";
import { accountExists } from "../resources/company";
import type { ResourceContext } from "./context";
import { withJournal } from "./unconfirmed-writes";

export async function deleteObject(context: ResourceContext): Promise<void> {
  const { definition, session, account, key, state, metadata } = context;
  const life = definition.collection!;
  const keep = life.deletionGuard?.(state);
  if (keep !== undefined) throw new Failure(keep);
  if (!(await accountExists(account))) {
    await session.accountVerifier.verify(metadata.keyFingerprint);
    return;
  }
  await session.accountVerifier.verifyBeforeWrite();
  const collection = life.objects(account);
  if (life.describeLoss !== undefined) {
    const lost = await life.describeLoss(account, key).catch((error: Error) => {
      if (session.settings.onUnreadable === "delete") return "what is in it could not be read";
      throw new Failure(
        `what would be lost with it cannot be read (${error.message}), so it was not deleted; run the same command again when that works, or with ESIGN_ON_UNREADABLE=delete in the environment to delete it without knowing`,
      );
    });
    // Gone already.
    if (lost === undefined) {
      collection.removed(key);
      return;
    }
    session.log(`${definition.kind} ${account.id(key)} is deleted: ${lost}`);
  }
  try {
    await withJournal(context, {}, {}, async () => {
      const isSure = await life.delete(account, key);
      if (!isSure && (await collection.one(key).catch(failedAfterIt)) !== undefined) {
        throw new Failure(
          "the service said success without a word of the object, and it is still there. If it does so again, ask its support",
        );
      }
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isMissing = async () => (await collection.one(key).catch(() => error)) === undefined;
    const isGone = isSurelyGone(error) || (statusesOfMissing.has(error.status) && (await isMissing()));
    if (!isGone) throw error;
  }
  collection.removed(key);
}

function failedAfterIt(error: unknown): never {
  throw new WriteFailure({}, {}, error, true);
}
