/**
 * What the account may have and the state does not show: what was sent by writes whose outcome is not known, and what was there
 * before. After a lost answer the state itself has it, as a rule; after a kill only the journal. So a value of our own is not
 * taken for somebody's.
 */

import { isPerhapsDone } from "../core/failure";
import { hashOf } from "../core/hash";
import type { Fields } from "../core/resource-definition";
import type { Bookkeeping } from "../state/bookkeeping";
import { markOf, same } from "../state/drift";
import { type Entry, type Handed, type Marks, type Originals, together } from "../state/originals-journal";
import type { Place, Subject } from "./context";

/** Name of an object in the journal, with the present key. */
export async function journalName(place: Place): Promise<string> {
  return nameWith(place, await place.session.fingerprint());
}

/** For the account itself its key is part of the name: one folder may hold the stacks of several accounts. */
function nameWith({ definition, account, key }: Place, fingerprint: string): string {
  return `${account.client.baseUrl} ${account.companyId ?? fingerprint} ${definition.kind} ${key}`;
}

/** Its names with the present key, and with the one that the state was made with. */
async function names(subject: Subject): Promise<string[]> {
  const { key: recorded } = subject.book;
  const present = await journalName(subject);
  return [...new Set([...(recorded === undefined ? [] : [nameWith(subject, recorded)]), present])];
}

/** What the state itself says. */
const doubts = ({ book }: Subject): Entry => ({ originals: {}, sent: book.perhaps ?? {} });

/**
 * Which of the writes to one incarnation of an object it is, from 1; 0 for another's. They count on whatever machine they come
 * from, so that a state that was deployed elsewhere meanwhile has heard of what this one has sent before.
 */
function positionOf({ born = "" }: Bookkeeping, write = ""): number {
  return write.startsWith(`${born}.`) ? Number(write.slice(born.length + 1)) : 0;
}

/** True for a write to this incarnation that the state has not heard of. */
const isLater = (book: Bookkeeping, write: string | undefined) =>
  positionOf(book, write) > positionOf(book, book.write);

const isHeard = (book: Bookkeeping, write: string) =>
  write === book.write || (positionOf(book, write) > 0 && !isLater(book, write));

/**
 * What the journal has under a name. What the state has heard of is in the state. What is of another incarnation is a life that
 * ended elsewhere, unless it was handed on to this one.
 */
function unheard({ definition, session, book, echo }: Subject, name: string): Entry {
  const entry = session.journal.read(name);
  const { write, handed = {} } = entry;
  if (write === undefined || isLater(book, write)) return entry;
  if (isHeard(book, write)) return { originals: {}, sent: {} };
  const isHanded = (field: string) =>
    field in handed && same(definition, field, handed[field]!.instead, echo.declared(field));
  const originals = Object.fromEntries(Object.entries(entry.originals).filter(([field]) => isHanded(field)));
  return { ...entry, originals, sent: {} };
}

/** What is remembered of an object. */
export async function unrecorded(subject: Subject): Promise<Entry> {
  return together([...(await names(subject)).map((name) => unheard(subject, name)), doubts(subject)]);
}

/**
 * As {@link unrecorded}, and forgets what the state has. What is left stands under the present key from now on: to be called when
 * that is known to be the account's.
 */
export async function settle(subject: Subject): Promise<Entry> {
  const { journal } = subject.session;
  const [all, present] = [await names(subject), await journalName(subject)];
  const left = together(all.map((name) => unheard(subject, name)));
  await journal.put(present, left);
  for (const former of all.filter((name) => name !== present)) journal.forget(former);
  return together([left, doubts(subject)]);
}

/** Name of the next write, whose it is, and which. One that the state has not heard of gives up its own to it. */
function nextWrite({ book }: Place): string {
  return `${book.born ?? ""}.${1 + positionOf(book, book.write)}`;
}

/**
 * In words, what was sent and the state has not heard of: by a run that was killed, or whose answer was lost. An update looks at
 * it. Without settings nobody can tell yet. Reads nothing of an object that has no file.
 */
export async function doubtOf(subject: Subject): Promise<string | undefined> {
  const { book, session } = subject;
  const entries = book.perhaps === undefined ? [] : [doubts(subject)];
  if (session.journal.isUsed && session.isConfigured) {
    const remembered = (await names(subject)).map((name) => session.journal.read(name));
    entries.push(...remembered.filter(({ write }) => isLater(book, write)));
  }
  if (entries.length === 0) return undefined;
  const fields = Object.keys(together(entries).sent);
  const what = fields.length === 0 ? "it was deleted" : `a change of ${fields.join(", ")} was carried out`;
  return `whether ${what} is not known; the update looks at it first`;
}

/** Bookkeeping that has heard of all that was sent up to now. */
export async function heard<T extends Bookkeeping>(place: Place, book: T): Promise<T> {
  const { write } = place.session.journal.read(await journalName(place));
  return write === undefined || isHeard(book, write) ? book : { ...book, write };
}

/** Hands what was there before on to the next owner of the object. */
export async function handOn(subject: Subject): Promise<void> {
  const originals = originalsOf(subject);
  if (Object.keys(originals).length === 0) return;
  const object = await journalName(subject);
  const write = nextWrite(subject);
  const handed: Record<string, Handed> = {};
  for (const [field, original] of Object.entries(originals)) {
    const instead = subject.echo.declared(field);
    if (instead !== undefined) handed[field] = { instead, shown: subject.echo.shown(field), original };
  }
  await subject.session.journal.add(object, { originals, sent: {}, write, handed });
}

/**
 * Does what changes an object, after the journal has what was there before, and marks of what is sent. Of what is refused nothing
 * stays there.
 */
export async function noted<T>(place: Place, originals: Originals, sent: Marks, work: () => Promise<T>): Promise<T> {
  const object = await journalName(place);
  const takeBack = await place.session.journal.add(object, { originals, sent, write: nextWrite(place) });
  try {
    return await work();
  } catch (error) {
    if (!isPerhapsDone(error)) await takeBack();
    throw error;
  }
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
  const marks = Object.entries(sending).map(([field, value]): [string, string[]] => {
    const [known, by] = isRehosted(definition, field) ? [before[field], markOf] : [value, gist];
    return [field, known === undefined ? [] : [mark(place, by(definition, field, known))]];
  });
  return Object.fromEntries(marks);
}

/**
 * What is still in doubt after a reading, which shows what is declared: what nobody declares and is our own, or may be.
 */
export function stillPerhaps(subject: Subject, sent: Marks, live: Fields): Marks {
  const { definition, echo } = subject;
  const isLeft = (field: string) =>
    definition.life === undefined &&
    echo.declared(field) === undefined &&
    (live[field] ?? null) !== (echo.traces[field]?.original ?? null) &&
    (isRehosted(definition, field) || isOurs(subject, sent, field, live[field]));
  return Object.fromEntries(Object.entries(sent).filter(([field]) => isLeft(field)));
}

/** True for a value that this stack has sent, or that has come of what it sent. */
export function isOurs(
  subject: Pick<Subject, "definition" | "book" | "echo">,
  sent: Marks,
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
  const { sent } = await unrecorded(subject);
  const telling = Object.keys(sent).filter((field) => !isRehosted(subject.definition, field));
  return telling.some((field) => isOurs(subject, sent, field, live[field]));
}

/** What is known to have been there before. */
export function originalsOf({ echo }: Subject): Originals {
  return Object.fromEntries(
    Object.entries(echo.traces).flatMap(([field, { original }]) => (original === undefined ? [] : [[field, original]])),
  );
}
