/** Deletes an object through the service: a webhook or a company. */
import { ApiError } from "../../sdk/errors";
import { Failure, WriteFailure } from "../core/failure";
import { isSurelyGone, perhapsGone } from "../objects/object-store";
import { accountExists } from "../resources/company";
import type { Subject } from "./context";
import { noted } from "./unconfirmed-writes";

export async function deleteFromCollection(subject: Subject): Promise<void> {
  const { definition, session, account, key, state, book } = subject;
  const life = definition.life!;
  const keep = life.keep?.(state);
  if (keep !== undefined) throw new Failure(keep);
  if (!(await accountExists(account))) {
    await session.assurance.accept(book.key);
    return;
  }
  await session.assurance.beforeWrite();
  const collection = life.collection(account);
  if (life.losses !== undefined) {
    const lost = await life.losses(account, key).catch((error: Error) => {
      if (session.settings.onUnreadable === "delete") return "what is in it could not be read";
      throw new Failure(
        `what would be lost with it cannot be read (${error.message}), so it was not deleted; run the same command again when that works, or with ESIGN_ON_UNREADABLE=delete in the environment to delete it without knowing`,
      );
    });
    // Gone already.
    if (lost === undefined) {
      collection.drop(key);
      return;
    }
    session.say(`${definition.kind} ${account.id(key)} is deleted: ${lost}`);
  }
  try {
    await noted(subject, {}, {}, async () => {
      const isSure = await life.remove(account, key);
      if (!isSure && (await collection.one(key).catch(failedAfterIt)) !== undefined) {
        throw new Failure(
          "the service said success without a word of the object, and it is still there. If it does so again, ask its support",
        );
      }
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isMissing = async () => (await collection.one(key).catch(() => error)) === undefined;
    const isGone = isSurelyGone(error) || (perhapsGone.has(error.status) && (await isMissing()));
    if (!isGone) throw error;
  }
  collection.drop(key);
}

function failedAfterIt(error: unknown): never {
  throw new WriteFailure({}, {}, error, true);
}
