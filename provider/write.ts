/** An update: only fields that are managed and changed are sent, and never over a change that the plan did not show. */
import { writeAge } from "./account";
import type { Fields } from "./define";
import { type Bookkeeping, Echo, hashOf, same, type Trace } from "./echo";
import { Failure, WriteFailure } from "./errors";
import type { Originals } from "./journal";
import type { Subject } from "./life";
import type { Properties } from "./unknowns";
import { isOurs, journalName, marksOf, settle } from "./unrecorded";

/** What a write leaves behind: the values to show, the service's outputs, the bookkeeping. */
export interface Change {
  shown: Fields;
  outputs: Properties;
  book: Bookkeeping;
}

/** Brings an object to what is wanted. `live` is filled with what it was like before, for messages. */
export async function changeObject(
  subject: Subject,
  wanted: Fields,
  live: Fields,
): Promise<{ change: Change; failure?: Failure }> {
  const { definition, session, account, key, echo, book, state } = subject;
  await session.assurance.beforeWrite();
  const item = await definition.read(account, key, writeAge);
  if (item === undefined) {
    await session.assurance.accept(book.key);
    throw new Failure("it is gone from the account; run `refresh`, then `up` makes it anew");
  }
  const before = definition.fromWire(item);
  Object.assign(live, before.fields);

  const traces: Record<string, Trace> = { ...echo.traces };
  const sending: Fields = {};
  const conflicts: string[] = [];
  const originals: Record<string, string | null> = {};
  const isSingleton = definition.life === undefined;
  // A run whose answer was lost has changed fields already: what it sent, and what was there before, is in the journal.
  const remembered = isSingleton ? await settle(subject, live) : { originals: {}, sent: {} };
  for (const field of definition.managed) {
    const declared = echo.declared(field);
    let value = wanted[field];
    if (value === undefined) {
      if (declared === undefined) continue;
      delete traces[field];
      value = isSingleton ? originalOf(subject, field, live[field]) : undefined;
      if (value === undefined || value === live[field]) continue;
    } else if (same(definition, field, value, live[field])) {
      // Already so: written by a run whose answer was lost, or by hand.
      traces[field] = {
        ...echo.trace(field, value, live[field]!),
        ...(field in remembered.originals && { original: remembered.originals[field]! }),
      };
      continue;
    } else if (declared !== undefined && same(definition, field, value, state[field] as string | undefined)) {
      // The plan shows no change of this field: whatever it is now, the next refresh will say so.
      continue;
    } else if (declared === undefined && isSingleton) {
      originals[field] = field in remembered.originals ? remembered.originals[field]! : (live[field] ?? null);
    }
    const isKnown = echo.shows(field, live[field]) || isOurs(subject, remembered, field, live[field]);
    if (declared !== undefined && !isKnown) conflicts.push(field);
    sending[field] = value;
  }
  refuseConflicts(subject, conflicts, live);

  const written: Written =
    Object.keys(sending).length === 0
      ? { ...before, unmoved: [] }
      : await journaled(subject, originals, sending, before.fields);
  for (const field of Object.keys(sending)) {
    if (wanted[field] === undefined) continue;
    const kept = field in originals ? { ...traces[field], original: originals[field]! } : traces[field];
    const next = new Echo(definition, state, { ...traces, ...(kept !== undefined && { [field]: kept }) });
    traces[field] = next.trace(field, wanted[field]!, written.fields[field] ?? wanted[field]!);
  }
  const change: Change = {
    shown: { ...wanted },
    outputs: written.outputs,
    book: { ...book, key: await session.fingerprint(), fields: traces },
  };
  for (const field of written.unmoved) {
    // What is there is shown, so that the next plan has it as a change; what was there at first stays known.
    change.shown[field] = written.fields[field];
    const original = echo.traces[field]?.original ?? originals[field];
    traces[field] = original === undefined ? {} : { original };
  }
  return { change, ...(written.unmoved.length > 0 && { failure: unmovedFailure(written.unmoved) }) };
}

/** Where something is written. */
type Place = Pick<Subject, "definition" | "session" | "account" | "key" | "book">;
interface Written {
  fields: Fields;
  outputs: Properties;
  /** Fields that are still as they were before, although the service said success. */
  unmoved: string[];
}

/**
 * Sends the fields, after the journal has what was there before, and what is sent. Of what is refused nothing stays there.
 * Objects that are created and deleted have no journal: their ids tell whose they are.
 */
export async function journaled(place: Place, originals: Originals, sending: Fields, before: Fields): Promise<Written> {
  if (place.definition.life !== undefined) return write(place, sending, before);
  const { journal } = place.session;
  const object = await journalName(place);
  const added = await journal.add(object, { originals, sent: marksOf(place, sending, before) });
  try {
    return await write(place, sending, before);
  } catch (error) {
    if (error instanceof WriteFailure && error.isRefused) await journal.drop(object, added);
    throw error;
  }
}

/** Sends the fields; what the answer does not tell is read back. Throws a {@link WriteFailure}. */
export async function write(
  { definition, account, key }: Pick<Place, "definition" | "account" | "key">,
  sending: Fields,
  before: Fields,
): Promise<Written> {
  const sent = Object.keys(sending);
  const failed = (isDone: boolean) => (error: unknown) => {
    throw new WriteFailure(sent, error, isDone);
  };
  const form = definition.toWire(sending);
  const answer = definition.fromWire(await definition.update(account, key, form).catch(failed(false)));
  const given = Object.fromEntries(Object.entries(answer.fields).filter(([, value]) => value !== undefined));
  // A copy may have the address that is there already, but only if the answer says so.
  const isMoved = (field: string, now: string | undefined) =>
    now !== before[field] ||
    same(definition, field, sending[field], now) ||
    isRewritten(definition, field, sending[field]!, now) ||
    (definition.rehosted?.includes(field) === true && field in given);
  const told = (fields: Fields, outputs: Properties): Written => ({
    fields,
    outputs,
    unmoved: sent.filter((field) => !isMoved(field, fields[field])),
  });
  if (sent.every((field) => field in given)) return told(answer.fields, answer.outputs);
  const item = await definition.read(account, key, 0).catch(failed(true));
  const found = item === undefined ? { fields: {}, outputs: {} } : definition.fromWire(item);
  return told({ ...found.fields, ...given }, { ...found.outputs, ...answer.outputs });
}

/** True when a value is the one that was sent, as the service writes it. */
function isRewritten({ bare }: Subject["definition"], field: string, sent: string, now: string | undefined): boolean {
  return bare !== undefined && now !== undefined && bare(field, sent) === bare(field, now);
}

export const unmovedFailure = (fields: readonly string[]) =>
  new Failure(
    `${fields.join(", ")}: the service said success and kept the value that was there before. If it does so again, ask its support: it does not take this value`,
  );

/** What to put back for a field that is no longer declared. */
function originalOf({ definition, session, account, key, echo }: Subject, field: string, live: string | undefined) {
  const { original } = echo.traces[field] ?? {};
  if (typeof original === "string") return original;
  if (original === null && definition.emptiable?.includes(field)) return "";
  if (live !== undefined) {
    const why =
      original === null ? "there was nothing before, which cannot be put back" : "what was there before is not known";
    session.say(`${definition.kind} ${account.id(key)}: ${field} is no longer declared and stays as it is (${why})`);
  }
  return undefined;
}

/** Keeps what is in the account and no plan has shown. Both versions are told apart by length and hash: the values may be secret. */
export function refuseConflicts({ session, echo, state }: Subject, fields: string[], live: Fields): void {
  if (fields.length === 0 || session.settings.onConflict === "overwrite") return;
  const version = (value: string | undefined) =>
    value === undefined ? "nothing" : `${value.length} characters, hash ${hashOf(value)}`;
  const told = fields.map((field) => {
    const recorded = (state[field] as string | undefined) ?? echo.declared(field);
    return `${field} (in the state: ${version(recorded)}; in the account now: ${version(live[field])})`;
  });
  throw new Failure(
    `what this would overwrite is not as the state has it: ${told.join(", ")}. Either somebody has changed it, or an update of this stack whose answer was lost. Run \`refresh\` and look at the plan again, or set \`esign:onConflict\` (or ESIGN_ON_CONFLICT in the environment) to overwrite`,
  );
}
