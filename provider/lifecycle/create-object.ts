/** Creates an object through the service: a webhook or a company. */

import { WriteFailure } from "../core/failure";
import type { Notes } from "../core/object-list";
import { type Fields, identityOf } from "../core/resource-definition";
import type { Trace } from "../state/bookkeeping";
import { Echo, same } from "../state/drift";
import type { Creation, Made } from "./context";
import { journalName, marksOf } from "./unconfirmed-writes";
import { unmovedFailure, write } from "./write-fields";

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
      const written = await write({ definition, session, account, key }, sending, live);
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
