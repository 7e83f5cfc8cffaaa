/**
 * What every account has exactly once: branding and e-mails. They cannot be created or deleted. A creation takes the text
 * over and keeps what was there before; a deletion puts that back.
 */

import { ServiceError } from "../sdk/errors";
import { writeAge } from "./account";
import type { Creation, Made } from "./collected";
import type { Fields } from "./define";
import { Echo, same, type Trace } from "./echo";
import { Failure } from "./errors";
import { journalName, originalsOf, type Subject } from "./life";
import { refuseConflicts, unmovedFields, write } from "./write";

export async function takeOver({ definition, session, account, args, wanted, book }: Creation): Promise<Made> {
  const key = definition.key(undefined, args);
  const place = { definition, account, key };
  const item = await definition.read(account, key, writeAge);
  const before = item === undefined ? { fields: {} as Fields, outputs: {} } : definition.fromWire(item);
  const sending = Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => !same(definition, field, value, before.fields[field])),
  );

  const object = await journalName(place);
  const remembered = session.journal.read(object) ?? {};
  // A run that was killed has changed the text already: what was there before its change is in the journal.
  const originals = Object.fromEntries(
    Object.keys(wanted).flatMap((field) => {
      if (field in remembered) return [[field, remembered[field]!]];
      return field in sending ? [[field, before.fields[field] ?? null]] : [];
    }),
  );
  let { fields: live, outputs } = before;
  let failure: unknown;
  if (Object.keys(sending).length > 0) {
    await session.journal.add(object, originals);
    const written = await write(place, sending);
    live = { ...live, ...written.fields };
    outputs = written.outputs;
    const unmoved = unmovedFields(definition, sending, before.fields, live);
    if (unmoved.length > 0) {
      failure = new Failure(`${unmoved.join(", ")}: the service said success and kept the value that was there before`);
      for (const field of Object.keys(sending)) if (!unmoved.includes(field)) delete sending[field];
    }
  } else {
    book.adopted = true;
  }
  const traces: Record<string, Trace> = {};
  const shown: Fields = {};
  for (const [field, value] of Object.entries(wanted)) {
    const original = originals[field];
    const known: Trace = original === undefined ? {} : { original };
    const isMissed = failure !== undefined && field in sending;
    shown[field] = isMissed ? live[field] : value;
    const echo = new Echo(definition, {}, { [field]: known });
    traces[field] = isMissed ? known : echo.trace(field, value!, live[field] ?? value!);
  }
  return { key, change: { shown, outputs, book: { ...book, fields: traces } }, failure };
}

/** Puts back what was there before. */
export async function restore(subject: Subject): Promise<void> {
  const { definition, session, account, key, state, echo, book } = subject;
  const object = await journalName(subject);
  const name = `${definition.kind} ${account.id(key)}`;
  if (state.onDelete === "keep") return session.journal.forget(object);
  if (!(await account.exists())) {
    await session.assurance.accept(book.key);
    return session.journal.forget(object);
  }
  const originals = { ...session.journal.read(object), ...originalsOf(subject) };
  const item = await definition.read(account, key, writeAge);
  const live: Fields = item === undefined ? {} : definition.fromWire(item).fields;

  const sending: Fields = {};
  const emptying: string[] = [];
  const conflicts = echo.managed.filter(
    (field) =>
      originals[field] !== undefined &&
      (originals[field] ?? "") !== (live[field] ?? "") &&
      !echo.shows(field, live[field]),
  );
  refuseConflicts(subject, conflicts, live);
  for (const field of echo.managed) {
    const original = originals[field];
    if (original === undefined) {
      session.say(`${name}: ${field} stays as it is, since what was there before is not known`);
    } else if (original !== null) {
      if (original !== live[field]) sending[field] = original;
    } else if (live[field]) {
      if (definition.emptiable?.includes(field)) emptying.push(field);
      else session.say(`${name}: ${field} stays as it is: there was nothing before, which cannot be put back`);
    }
  }
  if (Object.keys(sending).length + emptying.length > 0) await session.assurance.beforeWrite();
  if (Object.keys(sending).length > 0) await definition.update(account, key, definition.toWire(sending));
  for (const field of emptying) {
    try {
      await definition.update(account, key, definition.toWire({ [field]: "" }));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      session.say(
        `${name}: ${field} stays as it is: there was nothing before, and the service does not take that back`,
      );
    }
  }
  session.journal.forget(object);
}

/** After a refresh: what the journal knows and the state does not comes into the state; what the state has is safe there. */
export async function absorbJournal(subject: Subject, traces: Record<string, Trace>): Promise<Record<string, Trace>> {
  const { definition, session, echo } = subject;
  if (definition.life !== undefined) return traces;
  const object = await journalName(subject);
  const remembered = session.journal.read(object);
  if (remembered === undefined) return traces;
  const absent = echo.managed.filter((field) => echo.traces[field]?.original === undefined && field in remembered);
  if (absent.length === 0) {
    session.journal.forget(object);
    return traces;
  }
  const absorbed = absent.map((field) => [field, { ...traces[field], original: remembered[field]! }]);
  return { ...traces, ...Object.fromEntries(absorbed) };
}
