/**
 * Detects drift. The API changes what it is sent (copies a logo, upper-cases a colour, rewrites line endings). So drift is a difference
 * from what the API returned after the last write, never from what was sent.
 */
import { isSameValue, normalizeField } from "../../definitions/field";
import { hashOf } from "../core/hash";
import type { Properties } from "../core/pulumi-values";
import { type Fields, fieldsIn, isCopied, type ResourceDefinition } from "../core/resource-definition";
import type { FieldState, Originals } from "./metadata";

/**
 * Hash of a value that the API returned. For the address of a copy, which may differ at each read, the hash only says whether there is
 * one.
 */
export function valueHash(definition: ResourceDefinition, field: string, value: string): string {
  if (isCopied(definition, field)) return value === "" ? nothingHash : copyHash;
  return hashOf(normalizeField(definition, field, value));
}

const nothingHash = hashOf("");
const copyHash = hashOf("copy");

/** True if the two values of a field have the same meaning when declared. */
export function isEquivalent(
  definition: ResourceDefinition,
  field: string,
  a: string | undefined,
  b: string | undefined,
): boolean {
  // The API returns null or an empty text for no value.
  if ((a ?? "") === (b ?? "")) return true;
  return a !== undefined && b !== undefined && isSameValue(definition, field, a, b);
}

/** The original value of a field that one resource managed after another. */
export interface TransferredOriginal {
  /** The value that the former resource had set. The next resource recorded it as the original. */
  replacedValue: string;
  /** Hash of the value in the former resource's state, since the API may return a value in another form. */
  displayedHash?: string | undefined;
  original: string | null;
}

/**
 * Identity of the copy that the service makes of a file, whose address may change: the hash of its bytes; or of its address without a
 * query, if the bytes cannot be read and two reads return the same address. States contain these texts, so their format never changes.
 */
export const CopyIdentity = {
  ofPicture: (hash: string) => `picture:${hash}`,
  ofAddress: (url: string) => `address:${hashOf(url.replace(/[?#].*$/s, ""))}`,
  /** The hash of the bytes; undefined if the identity is that of an address. */
  pictureIn: (identity: string) => /^picture:(.*)$/s.exec(identity)?.[1],
  /** True if both are known, of the same form, and different: then the service has two copies. */
  areOfTwo: (a: string | undefined, b: string | undefined) =>
    a !== undefined && b !== undefined && a !== b && a.split(":")[0] === b.split(":")[0],
};

/** Identity of the account's current copy, by field; without those that are not known. */
export type Copies = Readonly<Record<string, string>>;

/** Compares what the API returns now with what it returned after the last write. */
export class DriftDetector {
  constructor(
    readonly definition: ResourceDefinition,
    /** Outputs of the last deployment or refresh. */
    readonly state: Properties,
    readonly fieldStates: Record<string, FieldState>,
    readonly copies: Copies = {},
  ) {}

  /** The same, with the identities of the account's current copies. */
  withCopies(copies: Copies): DriftDetector {
    return new DriftDetector(this.definition, this.state, this.fieldStates, copies);
  }

  /** The managed fields: those with a declared value, even if the account has no value now. */
  get managedFields(): string[] {
    return fieldsIn(this.definition, this.state, this.fieldStates).filter(
      (field) => this.declared(field) !== undefined,
    );
  }

  /** The recorded original values. */
  get originals(): Originals {
    const recorded = Object.entries(this.fieldStates).map(([field, { original }]) => [field, original] as const);
    return Object.fromEntries(recorded.filter((each): each is [string, string | null] => each[1] !== undefined));
  }

  /** The declared value of a field. */
  declared(field: string): string | undefined {
    return this.fieldStates[field]?.declared ?? (this.state[field] as string | undefined) ?? undefined;
  }

  /**
   * The same, with more original values. If a recorded original is only the value of a former resource, that resource's original replaces
   * it.
   */
  withOriginals(originals: Originals, transferred: Record<string, TransferredOriginal> = {}): DriftDetector {
    const fieldStates = { ...this.fieldStates };
    for (const [field, original] of Object.entries(originals)) {
      fieldStates[field] = { original, ...this.fieldStates[field] };
    }
    for (const [field, { replacedValue, displayedHash, original }] of Object.entries(transferred)) {
      const present = fieldStates[field]?.original;
      if (typeof present !== "string") continue;
      if (present !== replacedValue && this.#hash(field, present) !== displayedHash) continue;
      fieldStates[field] = { ...fieldStates[field], original };
    }
    return new DriftDetector(this.definition, this.state, fieldStates, this.copies);
  }

  /** True if the live value is what the API returned after the last write, so that there is no drift. */
  matchesApplied(field: string, live: string | undefined): boolean {
    if (this.#hash(field, live ?? "") !== this.#appliedHash(field)) return false;
    return !live || !this.hasOtherCopy(field);
  }

  /** True if the account's copy is not the one from after the last write. */
  hasOtherCopy(field: string): boolean {
    return CopyIdentity.areOfTwo(this.fieldStates[field]?.copy, this.liveCopy(field));
  }

  /** Identity of the account's copy now; if it was not read, of the copy that the state displays. */
  liveCopy(field: string): string | undefined {
    return this.copies[field] ?? this.fieldStates[field]?.displayedCopy;
  }

  /** Hash of the value that the state displays: that of the last write, or the drift that a refresh found. */
  displayedHash(field: string): string | undefined {
    if (this.fieldStates[field]?.declared === undefined) return this.#appliedHash(field);
    const displayed = (this.state[field] as string | undefined) ?? undefined;
    return displayed === undefined ? undefined : this.#hash(field, displayed);
  }

  /** True if the live value is the one that the state displays. */
  matchesState(field: string, live: string | undefined): boolean {
    const empty = this.#hash(field, "");
    if ((live === undefined ? empty : this.#hash(field, live)) !== (this.displayedHash(field) ?? empty)) return false;
    const { copy, displayedCopy = copy } = this.fieldStates[field] ?? {};
    return !live || !CopyIdentity.areOfTwo(displayedCopy, this.copies[field]);
  }

  /** What to record for a field after a write. */
  stateAfterWrite(field: string, declared: string, returned: string): FieldState {
    const returnedHash = this.#hash(field, returned);
    const { original } = this.fieldStates[field] ?? {};
    return {
      ...(returnedHash !== this.#hash(field, declared) && { returnedHash }),
      ...(original !== undefined && { original }),
    };
  }

  #appliedHash(field: string): string {
    return this.fieldStates[field]?.returnedHash ?? this.#hash(field, this.declared(field) ?? "");
  }

  #hash(field: string, value: string): string {
    return valueHash(this.definition, field, value);
  }
}

/** The values that a refresh displays: the declared value, or the live value of a field that has drifted. */
export function detectDrift(
  detector: DriftDetector,
  live: Fields,
): { displayed: Fields; fieldStates: Record<string, FieldState> } {
  const displayed: Fields = {};
  const fieldStates = { ...detector.fieldStates };
  for (const field of detector.managedFields) {
    const declared = detector.declared(field)!;
    if (detector.matchesApplied(field, live[field])) {
      displayed[field] = declared;
      fieldStates[field] = { ...detector.fieldStates[field], declared: undefined, displayedCopy: undefined };
    } else {
      const displayedCopy = live[field] ? detector.liveCopy(field) : undefined;
      // The address of the same copy may differ at each read.
      const isDisplayed = displayedCopy !== undefined && displayedCopy === detector.fieldStates[field]?.displayedCopy;
      displayed[field] = isDisplayed ? (detector.state[field] as string) : live[field];
      fieldStates[field] = { ...detector.fieldStates[field], declared, displayedCopy };
    }
  }
  return { displayed, fieldStates };
}
