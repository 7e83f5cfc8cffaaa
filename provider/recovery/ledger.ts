/**
 * What may have happened to the account without a state that has it: the one place that is asked before a write, after its response,
 * at the next run, and at an object's end. Behind it: the journal and the records of creates beside the program, and in the state
 * the name of the last write (`lastWrite`) and what was sent without a response (`unconfirmed`).
 *
 * - A state *includes* a write if it was recorded after that one, or after a later one.
 * - *Unconfirmed* is what was sent and the state does not include, or what got no response.
 * - *Transferred* is the original value that a former resource of an object has left to the next one.
 */
import type { Clock } from "../core/clock";
import { Failure, mayHaveSucceeded } from "../core/failure";
import type { PendingCreateLog } from "../core/object-access";
import { type Fields, isAccount, isCopied, isSingleton, type ResourceDefinition } from "../core/resource-definition";
import { isEquivalent, type TransferredOriginal, valueHash } from "../state/drift";
import type { AccountName, Metadata, Originals } from "../state/metadata";
import { fingerprintsOf, isOwnValue } from "./fingerprints";
import { emptyEntry, type JournalEntry, mergeEntries } from "./journal-file";
import { OriginalsJournal } from "./originals-journal";
import { type CreatingResource, PendingCreateRecords } from "./pending-create-records";
import { type StateObject, UnconfirmedWrites, type WrittenObject } from "./unconfirmed-writes";
import { compareToState, instanceOf, laterWrite, nextWrite } from "./write-names";

/** The run whose writes are recorded. */
interface WritingRun {
  readonly clock: Clock;
  /** Name of the stack. */
  readonly stack: string;
  /** What the program declares, as far as it is known. */
  readonly registrations: { has(urn: string): boolean };
}

/** The account whose writes are recorded. */
interface RecordedConnection {
  /** False while settings are missing. */
  readonly isConfigured: boolean;
  currentAccount(): Promise<AccountName>;
}

/** A deletion, or an update of fields, without a response; or what a former resource of the object has left to it. */
type Unsettled =
  | { deletion: true }
  | { updated: readonly string[] }
  | {
      /** Fields whose original values it has left. */
      originals: readonly string[];
      /** True if this stack has created the object, as the former resource. */
      isCreated: boolean;
    };

const isNotWritten = (error: unknown): boolean =>
  error instanceof Failure && (error.code === "ESIGN1051" || error.code === "ESIGN1053");

export class Ledger {
  readonly #creates: PendingCreateRecords;
  readonly #journal: OriginalsJournal;
  readonly #withoutOriginals: OriginalsJournal;

  constructor(
    directory: string,
    readonly run: WritingRun,
    readonly connection: RecordedConnection,
    log: (notice: string) => void,
  ) {
    this.#creates = new PendingCreateRecords(directory, run.clock);
    this.#journal = new OriginalsJournal(directory, log);
    this.#withoutOriginals = this.#journal.withoutOriginals(log);
  }

  // Before a write.

  /** Throws if the journal cannot be read: before anything is created, since the state would not get it then. */
  assertReadable(): void {
    void this.#journal.hasEntries;
  }

  /** Changes an object after the journal has the original values and fingerprints of what is sent; of what is rejected nothing stays in it. */
  async write<T>(
    object: WrittenObject,
    { originals = {}, sending = {} }: { originals?: Originals; sending?: Fields },
    work: () => Promise<T>,
  ): Promise<T> {
    const entry = {
      originals,
      sentFingerprints: fingerprintsOf(object, sending),
      lastWrite: nextWrite(object.metadata),
    };
    const undo = await this.#journalOf(object).append(await this.#name(object), entry);
    try {
      return await work();
    } catch (error) {
      if (!mayHaveSucceeded(error)) await undo();
      throw error;
    }
  }

  /**
   * What a create and the next run have to know of one another. The object's `key` is its natural key. `hasFormerRecord`: the instance that
   * is replaced may have a record still.
   */
  async pendingCreate(
    object: WrittenObject,
    resource: CreatingResource,
    hasFormerRecord: boolean,
  ): Promise<PendingCreateLog> {
    const { stack } = this.run;
    const { kind } = object.definition;
    // What another stack of this folder has created is its own: its state includes that.
    const { keyFingerprint, address } = await this.connection.currentAccount();
    const sender = `${address} ${keyFingerprint}`;
    const name = `${stack} ${await this.#name(object)}`;
    const isDeclared = (urn: string) => this.run.registrations.has(urn);
    const target = {
      kind,
      stack,
      company: object.account.companyId,
      name,
      sender,
      isDeclared,
      hasFormerRecord,
      ...resource,
    };
    return this.#creates.logOf(target, object.metadata.instanceId!, (id) => `${kind} ${object.account.id(id)}`);
  }

  // After its response.

  /** Metadata of a state that includes all that was sent up to now. */
  async includeWrites(object: WrittenObject, metadata: Metadata): Promise<Metadata> {
    const { lastWrite } = this.#journalOf(object).read(await this.#name(object));
    const isIncluded = lastWrite === undefined || compareToState(metadata, lastWrite) === "included";
    return isIncluded ? metadata : { ...metadata, lastWrite };
  }

  /** Ends the record of the create of an object: the state includes it. */
  endCreate({ instanceId }: Metadata): void {
    this.#creates.remove(instanceId);
  }

  // At the next run.

  /** True if earlier runs of the stack may have created what its state does not include. */
  get hasPendingCreates(): boolean {
    return this.#creates.hasRecords(this.run.stack);
  }

  /** What the state does not include of an object. */
  async readUnconfirmed<O extends StateObject>(object: O): Promise<UnconfirmedWrites<O>> {
    return new UnconfirmedWrites(object, mergeEntries([...(await this.#notIncluded(object)), stateEntry(object)]));
  }

  /**
   * As {@link readUnconfirmed}, and removes what the state includes. To be called when the current key is known to be the account's.
   * With `isRead` nothing is written now, and records of another instance are kept for the next run: a run that was killed while it renamed
   * the resource has left them. Nor does it fail where the folder cannot be written: what stays there, the next run settles.
   */
  async settle<O extends StateObject>(object: O, { isRead = false } = {}): Promise<UnconfirmedWrites<O>> {
    const [names, current] = [await this.#names(object), await this.#name(object)];
    if (isRead && names.some((name) => this.#isOfOther(object, name))) return this.readUnconfirmed(object);
    const rest = mergeEntries(await this.#notIncluded(object));
    const journal = this.#journalOf(object);
    try {
      await journal.replace(current, rest);
      for (const former of names.filter((name) => name !== current)) journal.remove(former);
    } catch (error) {
      if (!isRead || !isNotWritten(error)) throw error;
    }
    return new UnconfirmedWrites(object, mergeEntries([rest, stateEntry(object)]));
  }

  /**
   * What the next update settles: what a killed run, or one whose response was lost, has sent; and what was transferred. Undefined if
   * nothing, or while settings are missing: then it cannot be known. Reads nothing of an object that has no file.
   */
  async readUnsettled(object: StateObject): Promise<Unsettled | undefined> {
    const { metadata } = object;
    const isRecorded = this.#journal.hasEntries && this.connection.isConfigured;
    const entries = isRecorded ? await this.#notIncluded(object) : [];
    const unanswered = entries.filter(({ lastWrite = "" }) => compareToState(metadata, lastWrite) === "later");
    if (metadata.unconfirmed !== undefined) unanswered.push(stateEntry(object));
    if (unanswered.length === 0) return transferredTo(object, new UnconfirmedWrites(object, mergeEntries(entries)));
    const fields = Object.keys(mergeEntries(unanswered).sentFingerprints);
    return fields.length === 0 ? { deletion: true } : { updated: fields };
  }

  /**
   * The original values of the declared fields of an object that is adopted, as far as they are known. A killed run may have
   * changed a field already: then the journal has the original. But if the field was changed outside Pulumi since, or the
   * object was managed on another machine meanwhile, the current value is the original.
   */
  async readOriginals(object: WrittenObject, declared: Fields, sending: Fields, live: Fields): Promise<Originals> {
    const { definition } = object;
    const name = await this.#name(object);
    const entry = this.#journalOf(object).readAll(name);
    const isForeign = (field: string) =>
      field in sending &&
      live[field] !== undefined &&
      !isCopied(definition, field) &&
      ![entry.originals[field] ?? undefined, entry.transferred?.[field]?.replacedValue].some((value) =>
        isEquivalent(definition, field, value, live[field]),
      ) &&
      !isOwnValue(object, entry.sentFingerprints, field, live[field]);
    const recorded = Object.fromEntries(Object.entries(entry.originals).filter(([field]) => !isForeign(field)));
    const originals: Originals = Object.fromEntries(
      Object.keys(declared).flatMap((field) => {
        if (field in recorded) return [[field, recorded[field]!]];
        return field in sending ? [[field, live[field] ?? null]] : [];
      }),
    );
    // What an earlier resource has left to the former one, whose state has it by now, is in the way of what that one leaves to this one.
    const isLeft = ([field, left]: [string, TransferredOriginal]) =>
      !(field in declared) || isLeftValue(definition, field, left, originals[field] ?? declared[field]);
    const transferred = entry.transferred && Object.fromEntries(Object.entries(entry.transferred).filter(isLeft));
    await this.#journalOf(object).replace(name, { ...entry, originals: recorded, transferred });
    return originals;
  }

  /** The instance id of the resource that has written an object last; undefined if none is recorded. */
  async readLastInstance(object: WrittenObject): Promise<string | undefined> {
    const { lastWrite } = this.#journalOf(object).read(await this.#name(object));
    return lastWrite === undefined ? undefined : instanceOf(lastWrite);
  }

  // At an object's end.

  /**
   * Leaves to the resource that has adopted the object what its state lacks: original values, and that the stack has created it. That
   * state is written already, so the journal keeps this until its next update or refresh. Resolves to what only the journal has.
   */
  async transfer(object: StateObject, nextInstanceId: string): Promise<{ isCreated: boolean; fields: string[] }> {
    const { originals } = object.detector;
    const isCreated = await this.#wasCreated(object);
    if (Object.keys(originals).length === 0 && !isCreated) return { isCreated, fields: [] };
    const name = await this.#name(object);
    // What the journal had already, the next resource has found there.
    const { originals: found } = this.#journalOf(object).read(name);
    await this.#journalOf(object).append(name, {
      originals,
      sentFingerprints: {},
      lastWrite: nextWrite(object.metadata),
      transferred: transferredOriginals(object),
      createdFor: isCreated ? nextInstanceId : undefined,
    });
    return { isCreated, fields: Object.keys(originals).filter((field) => found[field] !== originals[field]) };
  }

  /**
   * What a resource has written to an object that another one had before, and still has: it counts as a write of that one without a
   * response, so that the next update of that one checks it.
   */
  async returnTo(instanceId: string, object: StateObject): Promise<void> {
    const { definition, detector } = object;
    const declared = Object.fromEntries(detector.managedFields.map((field) => [field, detector.declared(field)]));
    await this.#journalOf({ definition }).append(await this.#name(object), {
      originals: detector.originals,
      sentFingerprints: fingerprintsOf(object, declared),
      lastWrite: laterWrite(instanceId, this.run.clock.date()),
    });
  }

  /** Removes all that is recorded of an object that is gone. */
  async forget(object: StateObject): Promise<void> {
    if (isAccount(object.definition)) this.#creates.forgetInside(object.key);
    for (const name of await this.#names(object)) this.#journalOf(object).remove(name);
  }

  /** True if the object did not exist before the stack. What every account has once always did. */
  async #wasCreated(object: StateObject): Promise<boolean> {
    if (isSingleton(object.definition)) return false;
    return (await this.readUnconfirmed(object)).object.metadata.adopted !== true;
  }

  /**
   * What the journal has under each name of an object, without what the state includes. The entry of another instance has
   * ended elsewhere, unless it was transferred to this one.
   */
  async #notIncluded(object: StateObject): Promise<JournalEntry[]> {
    const { definition, detector, metadata } = object;
    return (await this.#names(object)).map((name) => {
      const { lastWrite } = this.#journalOf(object).read(name);
      // Without the name of a write, nothing shows that the state includes it.
      const comparison = lastWrite === undefined ? "later" : compareToState(metadata, lastWrite);
      if (comparison === "included") return emptyEntry;
      const entry = this.#journalOf(object).readAll(name);
      if (comparison === "later") return entry;
      const isTransferred = (field: string) => {
        const [left, declared] = [entry.transferred?.[field], detector.declared(field)];
        return left !== undefined && declared !== undefined && isLeftValue(definition, field, left, declared);
      };
      const originals = Object.fromEntries(Object.entries(entry.originals).filter(([field]) => isTransferred(field)));
      return { ...entry, originals, sentFingerprints: {} };
    });
  }

  /** True for what another instance has sent and not transferred to any. */
  #isOfOther(object: WrittenObject, name: string): boolean {
    const { metadata } = object;
    const { lastWrite, transferred, createdFor } = this.#journalOf(object).read(name);
    const isTransferred = transferred !== undefined || createdFor !== undefined;
    return lastWrite !== undefined && !isTransferred && compareToState(metadata, lastWrite) === "foreign";
  }

  /** Only what every account has once gets its original values again. */
  #journalOf({ definition }: Pick<WrittenObject, "definition">): OriginalsJournal {
    return isSingleton(definition) ? this.#journal : this.#withoutOriginals;
  }

  /** Name of an object in the journal, with the current key and address. */
  async #name(object: WrittenObject): Promise<string> {
    return nameIn(await this.connection.currentAccount(), object);
  }

  /** Its names with the key and address that the state was recorded with, and with the current ones. */
  async #names(object: WrittenObject): Promise<string[]> {
    const current = await this.connection.currentAccount();
    const { keyFingerprint, address = current.address } = object.metadata;
    const former = keyFingerprint === undefined ? [] : [nameIn({ keyFingerprint, address }, object)];
    return [...new Set([...former, nameIn(current, object)])];
  }
}

/** For the key's own account the key is part of the name: one folder may have the stacks of several accounts. */
function nameIn({ keyFingerprint, address }: AccountName, { definition, account, key }: WrittenObject): string {
  return `${address} ${account.companyId ?? keyFingerprint} ${definition.kind} ${key}`;
}

/** True for the value of a former resource, or for what a refresh had found in its place. */
function isLeftValue(
  definition: ResourceDefinition,
  field: string,
  { replacedValue, displayedHash }: TransferredOriginal,
  value: string | undefined,
): boolean {
  const isDisplayed = value !== undefined && valueHash(definition, field, value) === displayedHash;
  return isDisplayed || isEquivalent(definition, field, replacedValue, value);
}

const stateEntry = ({ metadata }: WrittenObject): JournalEntry => ({
  originals: {},
  sentFingerprints: metadata.unconfirmed ?? {},
});

function transferredOriginals({ detector }: StateObject): Record<string, TransferredOriginal> {
  const transferred: Record<string, TransferredOriginal> = {};
  for (const [field, original] of Object.entries(detector.originals)) {
    const replacedValue = detector.declared(field);
    if (replacedValue === undefined) continue;
    transferred[field] = { replacedValue, displayedHash: detector.displayedHash(field), original };
  }
  return transferred;
}

/** What a former resource has left that the state lacks; undefined if nothing. */
function transferredTo(
  { detector, metadata }: StateObject,
  { object }: UnconfirmedWrites<StateObject>,
): Unsettled | undefined {
  const [recorded, complete] = [detector.originals, object.detector.originals];
  const originals = Object.keys(complete).filter((field) => complete[field] !== recorded[field]);
  const isCreated = object.metadata.adopted !== metadata.adopted;
  return originals.length === 0 && !isCreated ? undefined : { originals, isCreated };
}
