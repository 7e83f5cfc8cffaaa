/** The begin and the end of objects that are created and deleted through the service: webhooks and companies. */

import { ServiceError } from "../sdk/errors";
import type { Account } from "./account";
import type { Notes } from "./claims";
import { isSurelyGone, perhapsGone } from "./collection";
import { type Definition, type Fields, identityOf } from "./define";
import { type Bookkeeping, Echo, same, type Trace } from "./echo";
import { Failure, WriteFailure } from "./errors";
import type { Subject } from "./life";
import type { Session } from "./session";
import type { Properties } from "./unknowns";
import { journalName, marksOf, noted } from "./unrecorded";
import { type Change, unmovedFailure, write } from "./write";

/** What a creation works with. */
export interface Creation {
  definition: Definition;
  session: Session;
  account: Account;
  args: Properties;
  /** Declared values of the managed fields. */
  wanted: Fields;
  book: Bookkeeping;
}

/** What a creation leaves behind. With a failure the object exists, but is not yet as it should be. */
export interface Made {
  key: string;
  change: Change;
  failure?: unknown;
}

export async function createInCollection(creation: Creation): Promise<Made> {
  const { definition, session, account, args, wanted, book } = creation;
  const life = definition.life!;
  const onExisting = (args.onExisting ?? definition.defaults.onExisting) as "adopt" | "fail" | "create";
  const { item, how } = await life.collection(account).claims.obtain({
    onExisting,
    match: (wire) => life.match(wire, args),
    matchNew: (wire) => life.matchNew?.(wire, args) ?? life.match(wire, args) === "equal",
    existsAlready: (error) => life.existsAlready?.(error) ?? false,
    post: () => life.create(account, args),
    ...(onExisting !== "adopt" && { notes: await notesOf(creation) }),
  });
  const key = definition.key(item, args);
  if (how !== "created") session.say(`${definition.kind} ${account.id(key)}: ${found[how]}`);
  if (how === "adopted") book.adopted = true;

  let { fields: live, outputs } = definition.fromWire(item);
  const unsaid = definition.secrets.filter((name) => outputs[name] === undefined);
  if (unsaid.length > 0) {
    session.say(
      `${definition.kind} ${account.id(key)}: the service does not show ${unsaid.join(", ")} again; it stays empty`,
    );
  }
  // What the creating request could not carry, or what the object that was taken over has otherwise.
  const sending = Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) =>
        !(how === "created" && life.createdWith.includes(field)) && !same(definition, field, value, live[field]),
    ),
  );
  let failure: unknown;
  if (Object.keys(sending).length > 0) {
    try {
      const written = await write({ definition, account, key }, sending, live);
      live = { ...live, ...written.fields };
      const given = Object.entries(written.outputs).filter(([, value]) => value !== undefined);
      outputs = { ...outputs, ...Object.fromEntries(given) };
      const { unmoved } = written;
      if (unmoved.length > 0) {
        failure = unmovedFailure(unmoved);
        for (const field of Object.keys(sending)) if (!unmoved.includes(field)) delete sending[field];
      }
    } catch (error) {
      failure = error;
      if (error instanceof WriteFailure && !error.isRefused)
        book.perhaps = marksOf({ definition, book }, sending, live);
    }
  }
  const echo = new Echo(definition, {}, {});
  const traces: Record<string, Trace> = {};
  const shown: Fields = {};
  for (const [field, value] of Object.entries(wanted)) {
    // A field that could not be written shows what is there, so that the next plan has it as a change.
    const isMissed = failure !== undefined && field in sending;
    shown[field] = isMissed ? live[field] : value;
    if (!isMissed) traces[field] = echo.trace(field, value!, live[field] ?? value!);
  }
  return { key, change: { shown, outputs, book: { ...book, fields: traces } }, failure };
}

/** What the next run has to know of this creation, should the state not hear of it. */
async function notesOf({ definition, session, account, args, book }: Creation): Promise<Notes> {
  const { creations } = session;
  const born = book.born!;
  const name = await journalName({ definition, session, account, key: identityOf(definition, args), book });
  // What another stack of this folder has made is its own: its state has heard of that.
  const what = `${session.stack} ${name}`;
  const object = (id: string) => `${definition.kind} ${account.id(id)}`;
  return {
    maybe: () => creations.maybe(what),
    left() {
      const known = creations.allMade();
      return creations.of(what).map(({ born: theirs, before, made }) => ({
        before,
        mayHaveMade: (id) =>
          made === undefined ? !before.includes(id) && !known.has(object(id)) : made === object(id),
        forget: () => creations.forget(theirs),
      }));
    },
    begin: (before) => creations.begin(what, born, before),
    made: (id) => creations.made(born, object(id)),
    end: () => creations.forget(born),
  };
}

const found = {
  adopted: "an equal object existed already and is taken over",
  claimed: "the answer to its creation was lost; the object was found",
};

export async function deleteFromCollection(subject: Subject): Promise<void> {
  const { definition, session, account, key, state, book } = subject;
  const life = definition.life!;
  const keep = life.keep?.(state);
  if (keep !== undefined) throw new Failure(keep);
  if (!(await account.exists())) {
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
    if (!(error instanceof ServiceError)) throw error;
    const isMissing = async () => (await collection.one(key).catch(() => error)) === undefined;
    const isGone = isSurelyGone(error) || (perhapsGone.has(error.status) && (await isMissing()));
    if (!isGone) throw error;
  }
  collection.drop(key);
}

function failedAfterIt(error: unknown): never {
  throw new WriteFailure({}, {}, error, true);
}
