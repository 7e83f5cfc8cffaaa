/**
 * What the journal knows of branding and e-mails and the state may not: what was there before the first change, and which
 * texts were sent by runs that were killed or whose answers were lost. So a text of our own is not taken for somebody's.
 */
import type { Fields } from "./define";
import { hashOf, markOf } from "./echo";
import type { Entry, Marks, Originals } from "./journal";
import type { Subject } from "./life";

type Place = Pick<Subject, "definition" | "session" | "account" | "key" | "book">;

/** Name of an object in the journal, with the present key. */
export async function journalName(place: Place): Promise<string> {
  return nameWith(place, await place.session.fingerprint());
}

/** For the account itself its key is part of the name: one folder may hold the stacks of several accounts. */
function nameWith({ definition, session, account, key }: Place, fingerprint: string): string {
  return `${session.settings.baseUrl} ${account.companyId ?? fingerprint} ${definition.kind} ${key}`;
}

/** Its names with the present key, and with the one that the state was made with. */
async function names(subject: Subject): Promise<string[]> {
  const { key: recorded } = subject.book;
  const present = await journalName(subject);
  return [...new Set([...(recorded === undefined ? [] : [nameWith(subject, recorded)]), present])];
}

function together(entries: readonly Entry[]): Entry {
  const all: Entry = { originals: {}, sent: {} };
  for (const { originals, sent } of entries) {
    all.originals = { ...originals, ...all.originals };
    for (const [field, marks] of Object.entries(sent)) all.sent[field] = [...(all.sent[field] ?? []), ...marks];
  }
  return all;
}

/** What is remembered of an object. */
export async function unrecorded(subject: Subject): Promise<Entry> {
  return together((await names(subject)).map((name) => subject.session.journal.read(name)));
}

/**
 * As {@link unrecorded}, and forgets what the state has: originals, and marks of fields that are as it shows them. What is left
 * stands under the present key from now on: to be called when that is known to be the account's.
 */
export async function settle(subject: Subject, live: Fields): Promise<Entry> {
  const { echo, session } = subject;
  const { journal } = session;
  const present = await journalName(subject);
  for (const former of (await names(subject)).filter((name) => name !== present)) {
    await journal.add(present, journal.read(former));
    journal.forget(former);
  }
  const { originals, sent } = journal.read(present);
  // A field that is not declared and was not about to be has got its original back.
  const isSettled = (field: string) =>
    echo.declared(field) === undefined ? !(field in originals) : echo.shows(field, live[field]);
  const settled = Object.fromEntries(Object.entries(sent).filter(([field]) => isSettled(field)));
  return journal.drop(present, { originals: originalsOf(subject), sent: settled });
}

/** Forgets all of an object. */
export async function forget(subject: Subject): Promise<void> {
  for (const name of await names(subject)) subject.session.journal.forget(name);
}

/** Tells who has sent what: the stack by the key that its state was made with, since several may be in this folder. */
function mark({ book }: Pick<Place, "book">, what: string): string {
  return hashOf(`${book.key} ${what}`);
}

/** What a value is known by, in whatever notation the service answers it. */
function gist({ bare, canonical }: Place["definition"], field: string, value: string): string {
  return hashOf(bare?.(field, value) ?? canonical?.(field, value, "answered") ?? value);
}

/**
 * Marks of what is about to be sent. What is answered as another value could not be recognised, so there the mark is that of the
 * value that it takes the place of: as long as the state shows that one, it has not heard of the write.
 */
export function marksOf(place: Place, sending: Fields, before: Fields): Marks {
  const { definition } = place;
  const marks = Object.entries(sending).flatMap(([field, value]): [string, string[]][] => {
    const [known, by] = isRehosted(definition, field) ? [before[field], markOf] : [value, gist];
    return known === undefined ? [] : [[field, [mark(place, by(definition, field, known))]]];
  });
  return Object.fromEntries(marks);
}

/** True for a value that this stack has sent, or that has come of what it sent. */
export function isOurs(
  subject: Pick<Subject, "definition" | "book" | "echo">,
  { sent }: Entry,
  field: string,
  live?: string,
) {
  const { definition, echo } = subject;
  if (live === undefined) return false;
  const told = isRehosted(definition, field) ? echo.shown(field) : gist(definition, field, live);
  return told !== undefined && sent[field]?.includes(mark(subject, told)) === true;
}

const isRehosted = ({ rehosted = [] }: Place["definition"], field: string) => rehosted.includes(field);

/** True when an object has a value that this stack has sent and its state has not heard of. A value of the service's own proves nothing. */
export async function hasOwnWrite(subject: Subject, live: Fields): Promise<boolean> {
  const entry = await unrecorded(subject);
  const telling = Object.keys(entry.sent).filter((field) => !isRehosted(subject.definition, field));
  return telling.some((field) => isOurs(subject, entry, field, live[field]));
}

/** What is known to have been there before. */
export function originalsOf({ echo }: Subject): Originals {
  return Object.fromEntries(
    Object.entries(echo.traces).flatMap(([field, { original }]) => (original === undefined ? [] : [[field, original]])),
  );
}
