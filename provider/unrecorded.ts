/**
 * What the account may have and the state does not show: which texts were sent by updates whose outcome is not known, and what
 * was there before. After a lost answer the state itself has it; after a kill only the journal, which branding and e-mails have.
 * So a text of our own is not taken for somebody's.
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

/** What the state itself says. */
const doubts = ({ book }: Subject): Entry => ({ originals: {}, sent: book.perhaps ?? {} });

/** What is remembered of an object. */
export async function unrecorded(subject: Subject): Promise<Entry> {
  if (subject.definition.life !== undefined) return doubts(subject);
  return together([...(await names(subject)).map((name) => subject.session.journal.read(name)), doubts(subject)]);
}

/**
 * As {@link unrecorded}, and forgets what the state has: originals, and marks of fields that are as it shows them. What is left
 * stands under the present key from now on: to be called when that is known to be the account's.
 */
export async function settle(subject: Subject, live: Fields): Promise<Entry> {
  const { definition, echo, session } = subject;
  if (definition.life !== undefined) return doubts(subject);
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
  return together([await journal.drop(present, { originals: originalsOf(subject), sent: settled }), doubts(subject)]);
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
export function marksOf(place: Pick<Place, "definition" | "book">, sending: Fields, before: Fields): Marks {
  const { definition } = place;
  const marks = Object.entries(sending).flatMap(([field, value]): [string, string[]][] => {
    const [known, by] = isRehosted(definition, field) ? [before[field], markOf] : [value, gist];
    return known === undefined ? [] : [[field, [mark(place, by(definition, field, known))]]];
  });
  return Object.fromEntries(marks);
}

/**
 * What to note of an update whose outcome is not known: that of some fields, and the marks that they may be recognised by.
 * `before` is what was there when it was sent.
 */
export function perhapsOf(place: Pick<Place, "definition" | "book">, sending: Fields, before: Fields): Marks {
  const marks = marksOf(place, sending, before);
  const known = place.book.perhaps ?? {};
  const fields = Object.keys(sending).map((field): [string, string[]] => [
    field,
    [...new Set([...(known[field] ?? []), ...(marks[field] ?? [])])],
  ]);
  return { ...known, ...Object.fromEntries(fields) };
}

/**
 * What is still in doubt after a reading, which shows what is declared: what nobody declares and is our own, or may be.
 */
export function stillPerhaps(subject: Subject, live: Fields): Marks {
  const { definition, echo, book } = subject;
  const sent = book.perhaps ?? {};
  const isLeft = (field: string) =>
    definition.life === undefined &&
    echo.declared(field) === undefined &&
    (live[field] ?? null) !== (echo.traces[field]?.original ?? null) &&
    (isRehosted(definition, field) || isOurs(subject, { originals: {}, sent }, field, live[field]));
  return Object.fromEntries(Object.entries(sent).filter(([field]) => isLeft(field)));
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
