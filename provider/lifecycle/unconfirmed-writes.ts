/**
 * What the account may have and the state does not include: what writes with unknown outcome have sent, and original
 * values. After a lost response the state itself has it, as a rule; after a kill only the journal. So a value of this
 * stack's own is not taken for a change outside Pulumi.
 */
import { fieldOf } from "../../account-folder/kinds/field";
import { mayHaveSucceeded } from "../core/failure";
import { hashOf } from "../core/hash";
import { type Definition, type Fields, isCopied, isSingleton } from "../core/resource-definition";
import { type JournalEntry, mergeEntries } from "../ledger/originals-journal";
import { isEquivalent } from "../state/drift";
import type { Fingerprints, Metadata, Originals } from "../state/metadata";
import type { ResourceContext, WriteContext } from "./resource-context";

/** Name of an object in the journal, with the current key. */
export async function journalName(context: Omit<WriteContext, "writes">): Promise<string> {
  return nameWith(context, await context.session.fingerprint());
}

/** For the key's own account the key is part of the name: one folder may have the stacks of several accounts. */
function nameWith({ definition, account, key }: Omit<WriteContext, "writes">, fingerprint: string): string {
  return `${account.client.baseUrl} ${account.companyId ?? fingerprint} ${definition.kind} ${key}`;
}

/** Its names with the current key, and with the one that the state was recorded with. */
async function journalNames(context: ResourceContext): Promise<string[]> {
  const { keyFingerprint } = context.metadata;
  const current = await journalName(context);
  return [...new Set([...(keyFingerprint === undefined ? [] : [nameWith(context, keyFingerprint)]), current])];
}

const stateEntry = ({ metadata }: ResourceContext): JournalEntry => ({
  originals: {},
  sentFingerprints: metadata.unconfirmed ?? {},
});

/**
 * The number of a write to this instance of an object, from 1; 0 for another instance's. They count on whatever machine
 * they come from, so that a state that was deployed elsewhere meanwhile includes what this machine sent before.
 */
function numberOf({ instanceId = "" }: Metadata, write = ""): number {
  return write.startsWith(`${instanceId}.`) ? Number(write.slice(instanceId.length + 1)) : 0;
}

/** The name of the next write to an object. */
export function nextWrite({ metadata }: WriteContext): string {
  return `${metadata.instanceId ?? ""}.${1 + numberOf(metadata, metadata.lastWrite)}`;
}

/** True for a write to this instance that the state does not include. */
const isUnacknowledged = (metadata: Metadata, write: string | undefined) =>
  numberOf(metadata, write) > numberOf(metadata, metadata.lastWrite);

const isAcknowledged = (metadata: Metadata, write: string) =>
  write === metadata.lastWrite || (numberOf(metadata, write) > 0 && !isUnacknowledged(metadata, write));

/**
 * What the journal has under a name, without what the state includes. The entry of another instance has ended elsewhere,
 * unless it was transferred to this one.
 */
function unacknowledged({ definition, session, metadata, detector }: ResourceContext, name: string): JournalEntry {
  const entry = session.journal.read(name);
  const { lastWrite, transferred = {} } = entry;
  if (lastWrite !== undefined && isAcknowledged(metadata, lastWrite)) return { originals: {}, sentFingerprints: {} };
  if (entry.isSealed) session.journal.rejectSealed(name);
  if (lastWrite === undefined || isUnacknowledged(metadata, lastWrite)) return entry;
  const isTransferred = (field: string) =>
    field in transferred &&
    isEquivalent(definition, field, transferred[field]!.replacedValue, detector.declared(field));
  const originals = Object.fromEntries(Object.entries(entry.originals).filter(([field]) => isTransferred(field)));
  return { ...entry, originals, sentFingerprints: {} };
}

/** What the state does not include of an object. */
export async function unconfirmedWrites(context: ResourceContext): Promise<JournalEntry> {
  const names = await journalNames(context);
  return mergeEntries([...names.map((name) => unacknowledged(context, name)), stateEntry(context)]);
}

/** The object with what the journal has of it: more original values, and whether the stack has created it. */
export function withUnconfirmed(context: ResourceContext, journal: JournalEntry): ResourceContext {
  const { detector, metadata } = context;
  return {
    ...context,
    detector: detector.withOriginals(journal.originals, journal.transferred),
    metadata: isCreatedFor(context, journal) ? { ...metadata, adopted: false } : metadata,
  };
}

/** True for an object that the state counts as adopted, and that the stack has created as another resource. */
const isCreatedFor = ({ metadata }: ResourceContext, { createdFor }: JournalEntry) =>
  metadata.adopted === true && createdFor !== undefined && createdFor === metadata.instanceId;

/**
 * As {@link unconfirmedWrites}, and removes what the state includes. The rest is recorded under the current key: to be
 * called when that is known to be the account's.
 */
export async function reconcile(context: ResourceContext): Promise<JournalEntry> {
  const { journal } = context.session;
  const [names, current] = [await journalNames(context), await journalName(context)];
  const rest = mergeEntries(names.map((name) => unacknowledged(context, name)));
  await journal.replace(current, rest);
  for (const former of names.filter((name) => name !== current)) journal.remove(former);
  return mergeEntries([rest, stateEntry(context)]);
}

/**
 * A notice about what the state does not include, and an update settles: what a killed run, or one whose response was lost,
 * has sent; and what a former resource has left. Without settings it cannot be known yet. Reads nothing of an
 * object that has no file.
 */
export async function describeUnconfirmed(context: ResourceContext): Promise<string | undefined> {
  const { metadata, session } = context;
  const entries = metadata.unconfirmed === undefined ? [] : [stateEntry(context)];
  if (session.journal.hasEntries && session.isConfigured) {
    const names = await journalNames(context);
    const recorded = names.map((name) => session.journal.read(name));
    entries.push(...recorded.filter(({ lastWrite }) => isUnacknowledged(metadata, lastWrite)));
    const left = describeTransferred(context, mergeEntries(names.map((name) => unacknowledged(context, name))));
    if (entries.length === 0 && left !== undefined) return left;
  }
  if (entries.length === 0) return undefined;
  const fields = Object.keys(mergeEntries(entries).sentFingerprints);
  const what = fields.length === 0 ? "deletion" : `update of ${fields.join(", ")}`;
  return `the last ${what} got no response; this update checks it first`;
}

/** What a former resource has left that the state lacks; undefined if nothing. */
function describeTransferred(context: ResourceContext, journal: JournalEntry): string | undefined {
  const [recorded, complete] = [originalsOf(context), originalsOf(withUnconfirmed(context, journal))];
  const fields = Object.keys(complete).filter((field) => complete[field] !== recorded[field]);
  const facts = [
    ...(fields.length > 0 ? [`the original value of ${fields.join(", ")}, which a former resource has left`] : []),
    ...(isCreatedFor(context, journal) ? ["that this stack has created it, as another resource"] : []),
  ];
  return facts.length === 0 ? undefined : `this update records ${facts.join("; ")}`;
}

/** Metadata that includes all that was sent up to now. */
export async function acknowledge(context: WriteContext, metadata: Metadata): Promise<Metadata> {
  const { lastWrite } = context.session.journal.read(await journalName(context));
  return lastWrite === undefined || isAcknowledged(metadata, lastWrite) ? metadata : { ...metadata, lastWrite };
}

/** Changes an object after the journal has the original values and fingerprints of what is sent; of what is rejected nothing stays in it. */
export async function withJournal<T>(
  context: WriteContext,
  originals: Originals,
  sentFingerprints: Fingerprints,
  work: () => Promise<T>,
): Promise<T> {
  const entry = { originals, sentFingerprints, lastWrite: nextWrite(context) };
  const undo = await context.session.journal.append(await journalName(context), entry);
  try {
    return await work();
  } catch (error) {
    if (!mayHaveSucceeded(error)) await undo();
    throw error;
  }
}

/** Removes all that is recorded of an object. */
export async function forgetObject(context: ResourceContext): Promise<void> {
  for (const name of await journalNames(context)) context.session.journal.remove(name);
}

/** The stack, by the key that its state was recorded with, is part of it: the folder may have several. */
function fingerprint({ metadata }: Pick<WriteContext, "metadata">, what: string): string {
  return hashOf(`${metadata.keyFingerprint} ${what}`);
}

/** The same for a value in whatever format the API returns it. */
function looseFingerprint(definition: Definition, name: string, value: string): string {
  const { normalizeLoose, normalize } = fieldOf(definition, name) ?? {};
  return hashOf(normalizeLoose?.(value) ?? normalize?.(value) ?? value);
}

/** Fingerprints of what is about to be sent. The API's copy of a file could not be recognised: there is none. */
export function fingerprintsOf(context: Pick<WriteContext, "definition" | "metadata">, sending: Fields): Fingerprints {
  const { definition } = context;
  const hashesOf = (field: string, value: string) =>
    isCopied(definition, field) ? [] : [fingerprint(context, looseFingerprint(definition, field, value))];
  return Object.fromEntries(Object.entries(sending).map(([field, value = ""]) => [field, hashesOf(field, value)]));
}

/** What remains unconfirmed after a refresh, which displays what is declared: a value that no argument declares and that is, or may be, this stack's own. */
export function remainingUnconfirmed(context: ResourceContext, sent: Fingerprints, live: Fields): Fingerprints {
  const { definition, detector } = context;
  const remains = (field: string) =>
    isSingleton(definition) &&
    detector.declared(field) === undefined &&
    (live[field] ?? null) !== (detector.fieldStates[field]?.original ?? null) &&
    isOwnWrite(context, sent, field, live[field]);
  return Object.fromEntries(Object.entries(sent).filter(([field]) => remains(field)));
}

/** True for a value that this stack has sent, or that the API has made of it. A copy, of which nothing is known, is taken for one. */
export function isOwnWrite(
  context: Pick<ResourceContext, "definition" | "metadata">,
  sent: Fingerprints,
  field: string,
  live?: string,
): boolean {
  const { definition } = context;
  if (isCopied(definition, field)) return field in sent;
  if (live === undefined) return false;
  return sent[field]?.includes(fingerprint(context, looseFingerprint(definition, field, live))) === true;
}

/** True if an object has a value that this stack has sent and its state does not include. A copy proves nothing. */
export async function hasOwnWrite(context: ResourceContext, live: Fields): Promise<boolean> {
  const { sentFingerprints } = await unconfirmedWrites(context);
  return Object.keys(sentFingerprints).some(
    (field) => !isCopied(context.definition, field) && isOwnWrite(context, sentFingerprints, field, live[field]),
  );
}

/** The original values that the state records. */
export function originalsOf({ detector }: Pick<ResourceContext, "detector">): Originals {
  return Object.fromEntries(
    Object.entries(detector.fieldStates).flatMap(([field, { original }]) =>
      original === undefined ? [] : [[field, original]],
    ),
  );
}
