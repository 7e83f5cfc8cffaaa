/**
 * Values of an object that the account may have although the state does not include them. With them, this stack's own values are not
 * mistaken for changes outside Pulumi.
 */
import { type AccountHandle, type Fields, isSingleton, type ResourceDefinition } from "../core/resource-definition";
import type { DriftDetector } from "../state/drift";
import type { Fingerprints, Metadata } from "../state/metadata";
import { fingerprintsOf, isOwnValue } from "./fingerprints";
import { type JournalEntry, mergeEntries } from "./journal-file";

/** An object that is written. */
export interface WrittenObject {
  definition: ResourceDefinition;
  account: AccountHandle;
  key: string;
  metadata: Metadata;
}

/** An object that the state has. */
export interface StateObject extends WrittenObject {
  detector: DriftDetector;
}

export class UnconfirmedWrites<O extends StateObject> {
  /** The object with what the journal has of it: more original values, and whether the stack has created it. */
  readonly object: O;
  /** Fingerprints of what was sent, by field. */
  readonly sent: Fingerprints;

  constructor(object: O, { originals, sentFingerprints, transferred, createdFor }: JournalEntry) {
    const { detector, metadata } = object;
    // The state counts it as adopted, and the stack has created it as another resource.
    const isCreated = metadata.adopted === true && createdFor !== undefined && createdFor === metadata.instanceId;
    this.object = {
      ...object,
      detector: detector.withOriginals(originals, transferred),
      metadata: isCreated ? { ...metadata, adopted: false } : metadata,
    };
    this.sent = sentFingerprints;
  }

  /** True for a value that one of them has sent, or that the API has made of it. Of a copy, nothing is known: it is taken for one. */
  isOwn(field: string, live: string | undefined): boolean {
    return isOwnValue(this.object, this.sent, field, live);
  }

  /** Of what was sent, and of these values. */
  fingerprintsWith(sending: Fields): Fingerprints {
    const more = { originals: {}, sentFingerprints: fingerprintsOf(this.object, sending) };
    return mergeEntries([{ originals: {}, sentFingerprints: this.sent }, more]).sentFingerprints;
  }

  /** Of what a refresh leaves, which displays what is declared: a value that no argument declares and that is, or may be, this stack's own. */
  fingerprintsAfterRefresh(live: Fields): Fingerprints {
    const { definition, detector } = this.object;
    const isLeft = (field: string) =>
      isSingleton(definition) &&
      detector.declared(field) === undefined &&
      (live[field] ?? null) !== (detector.fieldStates[field]?.original ?? null) &&
      this.isOwn(field, live[field]);
    return Object.fromEntries(Object.entries(this.sent).filter(([field]) => isLeft(field)));
  }
}
