/**
 * What every account has exactly once: branding and e-mails. They cannot be created or deleted. A creation takes the text
 * over and keeps what was there before; a deletion puts that back.
 */

import { writeAge } from "./account";
import type { Creation, Made } from "./collected";
import type { Fields } from "./define";
import { Echo, same, type Trace } from "./echo";
import { WriteFailure } from "./errors";
import type { Subject } from "./life";
import { isOurs, journalName, marksOf, originalsOf, unrecorded } from "./unrecorded";
import {
  journaled,
  notTakenBack,
  oneByOne,
  refuseConflicts,
  sayWhatStays,
  unmovedFailure,
  writeInParts,
} from "./write";

export async function takeOver({ definition, session, account, args, wanted, book }: Creation): Promise<Made> {
  const key = definition.key(undefined, args);
  const place = { definition, session, account, key, book };
  const item = await definition.read(account, key, writeAge);
  const before = item === undefined ? { fields: {} as Fields, outputs: {} } : definition.fromWire(item);
  const sending = Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => !same(definition, field, value, before.fields[field])),
  );

  const object = await journalName(place);
  const entry = session.journal.read(object);
  const nothingYet = { definition, book, echo: new Echo(definition, {}, {}) };
  // A run that was killed has changed the text already: what was there before its change is in the journal. But where somebody
  // has written since, or the text's former life has ended on another machine, it is what is there now.
  const isAnothers = (field: string) =>
    field in sending &&
    before.fields[field] !== undefined &&
    !definition.rehosted?.includes(field) &&
    ![entry.originals[field] ?? undefined, entry.handed?.[field]?.instead].some((known) =>
      same(definition, field, known, before.fields[field]),
    ) &&
    !isOurs(nothingYet, entry.sent, field, before.fields[field]);
  const remembered = Object.fromEntries(Object.entries(entry.originals).filter(([field]) => !isAnothers(field)));
  await session.journal.put(object, { ...entry, originals: remembered });
  const originals = Object.fromEntries(
    Object.keys(wanted).flatMap((field) => {
      if (field in remembered) return [[field, remembered[field]!]];
      return field in sending ? [[field, before.fields[field] ?? null]] : [];
    }),
  );
  let { fields: live, outputs } = before;
  let failure: unknown;
  if (Object.keys(sending).length > 0) {
    try {
      const written = await journaled(place, originals, sending, before.fields);
      live = { ...live, ...written.fields };
      outputs = written.outputs;
      const { unmoved } = written;
      if (unmoved.length > 0) {
        failure = unmovedFailure(unmoved);
        for (const field of Object.keys(sending)) if (!unmoved.includes(field)) delete sending[field];
      }
    } catch (error) {
      if (!(error instanceof WriteFailure) || error.isRefused) throw error;
      // Whether it is taken over is not known: if the program drops it now, its deletion looks.
      failure = error;
      book.perhaps = marksOf(place, sending, live);
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
  const name = `${definition.kind} ${account.id(key)}`;
  if (state.onDelete === "keep") return;
  if (!(await account.exists())) {
    await session.assurance.accept(book.key);
    return;
  }
  const remembered = await unrecorded(subject);
  const known = { ...subject, echo: echo.withOriginals({}, remembered.handed) };
  const originals = { ...remembered.originals, ...originalsOf(known) };
  const item = await definition.read(account, key, writeAge);
  const live: Fields = item === undefined ? {} : definition.fromWire(item).fields;

  const sending: Fields = {};
  const conflicts = echo.managed.filter(
    (field) =>
      originals[field] !== undefined &&
      (originals[field] ?? "") !== (live[field] ?? "") &&
      !echo.shows(field, live[field]) &&
      !isOurs(subject, remembered.sent, field, live[field]),
  );
  refuseConflicts(subject, conflicts, live);
  // What the state does not declare was sent by an update whose outcome is not known.
  for (const field of definition.managed.filter((name) => echo.managed.includes(name) || name in originals)) {
    const original = originals[field];
    if (original === undefined) {
      session.say(`${name}: ${field} stays as it is, since what was there before is not known`);
    } else if ((original ?? "") !== (live[field] ?? "")) {
      if (original !== null || definition.emptiable?.includes(field)) sending[field] = original ?? "";
      else session.say(`${name}: ${field} stays as it is: there was nothing before, which cannot be put back`);
    }
  }
  const groups = oneByOne(sending);
  // Where there is nothing to write, this may be another account that never was changed.
  if (groups.length === 0) await session.assurance.accept(book.key);
  else await session.assurance.beforeWrite();
  const written = await writeInParts(subject, {}, groups, { fields: live, outputs: {} }, () => true);
  const stillThere = (fields: readonly string[]) => sayWhatStays(subject, fields, (field) => originals[field] ?? null);
  const [refused, unmoved] = [stillThere(written.refused), stillThere(written.unmoved)];
  if (refused.length > 0) throw notTakenBack(refused, written);
  if (unmoved.length > 0) throw unmovedFailure(unmoved);
}
