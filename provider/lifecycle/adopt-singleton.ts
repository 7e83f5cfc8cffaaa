/**
 * What every account has exactly once: branding and e-mails. They cannot be created. A creation takes the text over and keeps
 * what was there before.
 */

import { WriteFailure } from "../core/failure";
import type { Fields } from "../core/resource-definition";
import { writeAge } from "../session/account";
import type { Trace } from "../state/bookkeeping";
import { Echo, same } from "../state/drift";
import type { Creation, Made } from "./context";
import { isOurs, journalName, marksOf } from "./unconfirmed-writes";
import { journaled, unmovedFailure } from "./write-fields";

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
