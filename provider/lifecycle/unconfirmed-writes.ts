/**
 * What the account may have and the state does not show: what was sent by writes whose outcome is not known, and what was there
 * before. After a lost answer the state itself has it, as a rule; after a kill only the journal. So a value of our own is not
 * taken for somebody's.
 */

import { mayHaveSucceeded } from "../core/failure";
import { hashOf } from "../core/hash";
import type { Fields } from "../core/resource-definition";
import { isEquivalent, valueHash } from "../state/drift";
import type { Metadata } from "../state/metadata";
import {
  type Fingerprints,
  type JournalEntry,
  mergeEntries,
  type Originals,
  type TransferredOriginal,
} from "../state/originals-journal";
import type { ResourceContext, WriteContext } from "./context";

/** Name of an object in the journal, with the present key. */
export async function journalName(place: WriteContext): Promise<string> {
  return nameWith(place, await place.session.fingerprint());
}

/** For the account itself its key is part of the name: one folder may hold the stacks of several accounts. */
function nameWith({ definition, account, key }: WriteContext, fingerprint: string): string {
  return `${account.client.baseUrl} ${account.companyId ?? fingerprint} ${definition.kind} ${key}`;
}

/** Its names with the present key, and with the one that the state was made with. */
async function names(context: ResourceContext): Promise<string[]> {
  const { keyFingerprint: recorded } = context.metadata;
  const present = await journalName(context);
  return [...new Set([...(recorded === undefined ? [] : [nameWith(context, recorded)]), present])];
}

/** What the state itself says. */
const stateEntry = ({ metadata }: ResourceContext): JournalEntry => ({
  originals: {},
  sentFingerprints: metadata.unconfirmed ?? {},
});

/**
 * Which of the writes to one incarnation of an object it is, from 1; 0 for another's. They count on whatever machine they come
 * from, so that a state that was deployed elsewhere meanwhile has heard of what this one has sent before.
 */
function positionOf({ instanceId = "" }: Metadata, write = ""): number {
  return write.startsWith(`${instanceId}.`) ? Number(write.slice(instanceId.length + 1)) : 0;
}

/** True for a write to this incarnation that the state has not heard of. */
const isUnacknowledged = (metadata: Metadata, write: string | undefined) =>
  positionOf(metadata, write) > positionOf(metadata, metadata.lastWrite);

const isAcknowledged = (metadata: Metadata, write: string) =>
  write === metadata.lastWrite || (positionOf(metadata, write) > 0 && !isUnacknowledged(metadata, write));

/**
 * What the journal has under a name. What the state has heard of is in the state. What is of another incarnation is a life that
 * ended elsewhere, unless it was handed on to this one.
 */
function unacknowledged({ definition, session, metadata, detector }: ResourceContext, name: string): JournalEntry {
  const entry = session.journal.read(name);
  const { lastWrite, transferred = {} } = entry;
  if (lastWrite === undefined || isUnacknowledged(metadata, lastWrite)) return entry;
  if (isAcknowledged(metadata, lastWrite)) return { originals: {}, sentFingerprints: {} };
  const isHanded = (field: string) =>
    field in transferred &&
    isEquivalent(definition, field, transferred[field]!.replacedValue, detector.declared(field));
  const originals = Object.fromEntries(Object.entries(entry.originals).filter(([field]) => isHanded(field)));
  return { ...entry, originals, sentFingerprints: {} };
}

/** What is remembered of an object. */
export async function unconfirmedWrites(context: ResourceContext): Promise<JournalEntry> {
  return mergeEntries([...(await names(context)).map((name) => unacknowledged(context, name)), stateEntry(context)]);
}

/**
 * As {@link unconfirmedWrites}, and forgets what the state has. What is left stands under the present key from now on: to be called when
 * that is known to be the account's.
 */
export async function reconcile(context: ResourceContext): Promise<JournalEntry> {
  const { journal } = context.session;
  const [all, present] = [await names(context), await journalName(context)];
  const left = mergeEntries(all.map((name) => unacknowledged(context, name)));
  await journal.replace(present, left);
  for (const former of all.filter((name) => name !== present)) journal.remove(former);
  return mergeEntries([left, stateEntry(context)]);
}

/** Name of the next write, whose it is, and which. One that the state has not heard of gives up its own to it. */
function nextWrite({ metadata }: WriteContext): string {
  return `${metadata.instanceId ?? ""}.${1 + positionOf(metadata, metadata.lastWrite)}`;
}

/**
 * In words, what was sent and the state has not heard of: by a run that was killed, or whose answer was lost. An update looks at
 * it. Without settings nobody can tell yet. Reads nothing of an object that has no file.
 */
export async function describeUnconfirmed(context: ResourceContext): Promise<string | undefined> {
  const { metadata, session } = context;
  const entries = metadata.unconfirmed === undefined ? [] : [stateEntry(context)];
  if (session.journal.hasEntries && session.isConfigured) {
    const remembered = (await names(context)).map((name) => session.journal.read(name));
    entries.push(...remembered.filter(({ lastWrite }) => isUnacknowledged(metadata, lastWrite)));
  }
  if (entries.length === 0) return undefined;
  const fields = Object.keys(mergeEntries(entries).sentFingerprints);
  const what = fields.length === 0 ? "it was deleted" : `a change of ${fields.join(", ")} was carried out`;
  return `whether ${what} is not known; the update looks at it first`;
}

/** Bookkeeping that has heard of all that was sent up to now. */
export async function acknowledge<T extends Metadata>(place: WriteContext, metadata: T): Promise<T> {
  const { lastWrite } = place.session.journal.read(await journalName(place));
  return lastWrite === undefined || isAcknowledged(metadata, lastWrite) ? metadata : { ...metadata, lastWrite };
}

/** Hands what was there before on to the next owner of the object. */
export async function transferOriginals(context: ResourceContext): Promise<void> {
  const originals = originalsOf(context);
  if (Object.keys(originals).length === 0) return;
  const object = await journalName(context);
  const handed: Record<string, TransferredOriginal> = {};
  for (const [field, original] of Object.entries(originals)) {
    const instead = context.detector.declared(field);
    if (instead !== undefined)
      handed[field] = { replacedValue: instead, displayedHash: context.detector.displayedHash(field), original };
  }
  await context.session.journal.append(object, {
    originals,
    sentFingerprints: {},
    lastWrite: nextWrite(context),
    transferred: handed,
  });
}

/**
 * Does what changes an object, after the journal has what was there before, and marks of what is sent. Of what is refused nothing
 * stays there.
 */
export async function withJournal<T>(
  place: WriteContext,
  originals: Originals,
  sent: Fingerprints,
  work: () => Promise<T>,
): Promise<T> {
  const object = await journalName(place);
  const takeBack = await place.session.journal.append(object, {
    originals,
    sentFingerprints: sent,
    lastWrite: nextWrite(place),
  });
  try {
    return await work();
  } catch (error) {
    if (!mayHaveSucceeded(error)) await takeBack();
    throw error;
  }
}

/** Forgets all of an object. */
export async function forgetObject(context: ResourceContext): Promise<void> {
  for (const name of await names(context)) context.session.journal.remove(name);
}

/** Tells who has sent what: the stack by the key that its state was made with, since several may be in this folder. */
function fingerprint({ metadata }: Pick<WriteContext, "metadata">, what: string): string {
  return hashOf(`${metadata.keyFingerprint} ${what}`);
}

/** What a value is known by, in whatever notation the service answers it. */
function looseFingerprint(
  { normalizeLoose, normalize }: WriteContext["definition"],
  field: string,
  value: string,
): string {
  return hashOf(normalizeLoose?.(field, value) ?? normalize?.(field, value, "answered") ?? value);
}

/**
 * Marks of what is about to be sent. What is answered as another value could not be recognised, so there the mark is that of the
 * value that it takes the place of: as long as the state shows that one, it has not heard of the write.
 */
export function fingerprintsOf(
  place: Pick<WriteContext, "definition" | "metadata">,
  sending: Fields,
  before: Fields,
): Fingerprints {
  const { definition } = place;
  const marks = Object.entries(sending).map(([field, value]): [string, string[]] => {
    const [known, by] = isServerCopied(definition, field) ? [before[field], valueHash] : [value, looseFingerprint];
    return [field, known === undefined ? [] : [fingerprint(place, by(definition, field, known))]];
  });
  return Object.fromEntries(marks);
}

/**
 * What is still in doubt after a reading, which shows what is declared: what nobody declares and is our own, or may be.
 */
export function remainingUnconfirmed(context: ResourceContext, sent: Fingerprints, live: Fields): Fingerprints {
  const { definition, detector } = context;
  const isLeft = (field: string) =>
    definition.collection === undefined &&
    detector.declared(field) === undefined &&
    (live[field] ?? null) !== (detector.fieldStates[field]?.original ?? null) &&
    (isServerCopied(definition, field) || isOwnWrite(context, sent, field, live[field]));
  return Object.fromEntries(Object.entries(sent).filter(([field]) => isLeft(field)));
}

/** True for a value that this stack has sent, or that has come of what it sent. */
export function isOwnWrite(
  context: Pick<ResourceContext, "definition" | "metadata" | "detector">,
  sent: Fingerprints,
  field: string,
  live?: string,
) {
  const { definition, detector } = context;
  if (live === undefined) return false;
  const told = isServerCopied(definition, field)
    ? detector.displayedHash(field)
    : looseFingerprint(definition, field, live);
  return told !== undefined && sent[field]?.includes(fingerprint(context, told)) === true;
}

const isServerCopied = ({ serverCopied = [] }: WriteContext["definition"], field: string) =>
  serverCopied.includes(field);

/** True when an object has a value that this stack has sent and its state has not heard of. A value of the service's own proves nothing. */
export async function hasOwnWrite(context: ResourceContext, live: Fields): Promise<boolean> {
  const { sentFingerprints } = await unconfirmedWrites(context);
  const telling = Object.keys(sentFingerprints).filter((field) => !isServerCopied(context.definition, field));
  return telling.some((field) => isOwnWrite(context, sentFingerprints, field, live[field]));
}

/** What is known to have been there before. */
export function originalsOf({ detector }: ResourceContext): Originals {
  return Object.fromEntries(
    Object.entries(detector.fieldStates).flatMap(([field, { original }]) =>
      original === undefined ? [] : [[field, original]],
    ),
  );
}
