/** An update: only fields that are managed and changed are sent, and never over a change that the plan did not show. */
import { writeAge } from "./account";
import type { Definition, Fields } from "./define";
import { type Bookkeeping, Echo, hashOf, same, type Trace } from "./echo";
import { Failure } from "./errors";
import { journalName, type Subject } from "./life";
import type { Properties } from "./unknowns";

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
      traces[field] = echo.trace(field, value, live[field]!);
      continue;
    } else if (declared !== undefined && same(definition, field, value, state[field] as string | undefined)) {
      // The plan shows no change of this field: whatever it is now, the next refresh will say so.
      continue;
    } else if (declared === undefined && isSingleton) {
      originals[field] = live[field] ?? null;
    }
    if (declared !== undefined && !echo.shows(field, live[field])) conflicts.push(field);
    sending[field] = value;
  }
  refuseConflicts(subject, conflicts, live);

  if (Object.keys(originals).length > 0) await session.journal.add(await journalName(subject), originals);
  const written = Object.keys(sending).length === 0 ? before : await write(subject, sending);
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
  const unmoved = unmovedFields(definition, sending, live, written.fields);
  if (unmoved.length === 0) return { change };
  for (const field of unmoved) change.shown[field] = written.fields[field];
  return {
    change,
    failure: new Failure(`${unmoved.join(", ")}: the service said success and kept the value that was there before`),
  };
}

/** Sends the fields; what the answer does not tell is read back. */
export async function write(
  { definition, account, key }: Pick<Subject, "definition" | "account" | "key">,
  sending: Fields,
): Promise<{ fields: Fields; outputs: Properties }> {
  const answer = definition.fromWire(await definition.update(account, key, definition.toWire(sending)));
  if (Object.keys(sending).every((field) => answer.fields[field] !== undefined)) return answer;
  const item = await definition.read(account, key, 0);
  const found = item === undefined ? { fields: {}, outputs: {} } : definition.fromWire(item);
  const given = Object.entries(answer.fields).filter(([, value]) => value !== undefined);
  return {
    fields: { ...found.fields, ...Object.fromEntries(given) },
    outputs: { ...found.outputs, ...answer.outputs },
  };
}

/** Fields that were sent and are still what they were. */
export function unmovedFields(definition: Definition, sent: Fields, before: Fields, after: Fields): string[] {
  return Object.keys(sent).filter(
    (field) =>
      !definition.rehosted?.includes(field) &&
      after[field] === before[field] &&
      !same(definition, field, sent[field], after[field]),
  );
}

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

/** Keeps what somebody has changed and the plan did not show. Both versions are told apart by length and hash: the values may be secret. */
export function refuseConflicts({ session, echo, state }: Subject, fields: string[], live: Fields): void {
  if (fields.length === 0 || session.settings.onConflict === "overwrite") return;
  const version = (value: string | undefined) =>
    value === undefined ? "nothing" : `${value.length} characters, hash ${hashOf(value)}`;
  const told = fields.map((field) => {
    const recorded = (state[field] as string | undefined) ?? echo.declared(field);
    return `${field} (in the state: ${version(recorded)}; in the account now: ${version(live[field])})`;
  });
  throw new Failure(
    `somebody has changed what this would overwrite: ${told.join(", ")}. Run \`refresh\` and look at the plan again, or set \`esign:onConflict\` (or ESIGN_ON_CONFLICT in the environment) to overwrite`,
  );
}
