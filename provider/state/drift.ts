/**
 * Decides on drift. The API changes what it is sent (copies a logo, upper-cases a colour, rewrites line ends), so drift is
 * a difference from what it returned after the last write, never from what was sent.
 */
import { isSameValue, normalizeField } from "../../definitions/field";
import { hashOf } from "../core/hash";
import type { Properties } from "../core/pulumi-values";
import { type Definition, type Fields, fieldsIn, isCopied } from "../core/resource-definition";
import type { FieldState, Originals } from "./metadata";

/** Hash of a value that the API returned, without what is known to vary in it: of a copy's address only whether there is one. */
export function valueHash(definition: Definition, field: string, value: string): string {
  if (isCopied(definition, field)) return value === "" ? nothingHash : copyHash;
  return hashOf(normalizeField(definition, field, value));
}

const nothingHash = hashOf("");
const copyHash = hashOf("copy");

/** True if it makes no difference which of two values of a field is declared. */
export function isEquivalent(
  definition: Definition,
  field: string,
  a: string | undefined,
  b: string | undefined,
): boolean {
  // The API has nothing, or nothing in it.
  if ((a ?? "") === (b ?? "")) return true;
  return a !== undefined && b !== undefined && isSameValue(definition, field, a, b);
}

/** The original value of a field that two resources manage one after another. */
export interface TransferredOriginal {
  /** The former resource's value, which the next one takes for the original. */
  replacedValue: string;
  /** Hash of what the former state displayed, since the API returns some values as other ones. */
  displayedHash?: string | undefined;
  original: string | null;
}

/**
 * What identifies a copy that the service has made of a file, since its address does not: the hash of its bytes, or of its
 * address without a query where the bytes cannot be had and two reads return the same. The texts are in states: they never change.
 */
export const CopyIdentity = {
  ofPicture: (hash: string) => `picture:${hash}`,
  ofAddress: (url: string) => `address:${hashOf(url.replace(/[?#].*$/s, ""))}`,
  /** The hash of the bytes, if that is what identifies it. */
  pictureIn: (identity: string) => /^picture:(.*)$/s.exec(identity)?.[1],
  /** True for identities of two copies, of the same kind. Where one is not known, nothing is. */
  areOfTwo: (a: string | undefined, b: string | undefined) =>
    a !== undefined && b !== undefined && a !== b && a.split(":")[0] === b.split(":")[0],
};

/** Identities of copies that the account has now, by field; without those that are not known. */
export type Copies = Readonly<Record<string, string>>;

/** Compares what the API returns now with what it returned after the last write. */
export class DriftDetector {
  constructor(
    readonly definition: Definition,
    /** Outputs of the last deployment or refresh. */
    readonly state: Properties,
    readonly fieldStates: Record<string, FieldState>,
    readonly copies: Copies = {},
  ) {}

  /** With the account's copies, as far as they are known. */
  withCopies(copies: Copies): DriftDetector {
    return new DriftDetector(this.definition, this.state, this.fieldStates, copies);
  }

  /** The fields that are managed: declared, even if they have no live value now. */
  get managedFields(): string[] {
    return fieldsIn(this.definition, this.state, this.fieldStates).filter(
      (field) => this.declared(field) !== undefined,
    );
  }

  /** The original values that are recorded. */
  get originals(): Originals {
    const recorded = Object.entries(this.fieldStates).map(([field, { original }]) => [field, original] as const);
    return Object.fromEntries(recorded.filter((each): each is [string, string | null] => each[1] !== undefined));
  }

  /** The declared value. */
  declared(field: string): string | undefined {
    return this.fieldStates[field]?.declared ?? (this.state[field] as string | undefined) ?? undefined;
  }

  /** With more originals. A former resource's value does not count: its original does. */
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

  /** True if the live value is what the API returned after the last write: no drift. */
  matchesApplied(field: string, live: string | undefined): boolean {
    if (this.#hash(field, live ?? "") !== this.#appliedHash(field)) return false;
    return !live || !this.hasOtherCopy(field);
  }

  /** True if the account's copy is another one than after the last write. */
  hasOtherCopy(field: string): boolean {
    return CopyIdentity.areOfTwo(this.fieldStates[field]?.copy, this.liveCopy(field));
  }

  /** The account's copy; the one that is displayed while nothing newer is known. */
  liveCopy(field: string): string | undefined {
    return this.copies[field] ?? this.fieldStates[field]?.displayedCopy;
  }

  /** Hash of what the state displays: the value of the last write, or the drift that a refresh has found. */
  displayedHash(field: string): string | undefined {
    if (this.fieldStates[field]?.declared === undefined) return this.#appliedHash(field);
    const displayed = (this.state[field] as string | undefined) ?? undefined;
    return displayed === undefined ? undefined : this.#hash(field, displayed);
  }

  /** True if the live value is what the state displays. */
  matchesState(field: string, live: string | undefined): boolean {
    const empty = this.#hash(field, "");
    if ((live === undefined ? empty : this.#hash(field, live)) !== (this.displayedHash(field) ?? empty)) return false;
    const { copy, displayedCopy = copy } = this.fieldStates[field] ?? {};
    return !live || !CopyIdentity.areOfTwo(displayedCopy, this.copies[field]);
  }

  /** What to record of a field after a write. */
  stateAfterWrite(field: string, declared: string, returned: string): FieldState {
    const returnedHash = this.#hash(field, returned);
    const { original } = this.fieldStates[field] ?? {};
    return {
      ...(returnedHash !== this.#hash(field, declared) && { returnedHash }),
      ...(original !== undefined && { original }),
    };
  }

  #appliedHash(field: string): string {
    const { returnedHash } = this.fieldStates[field] ?? {};
    if (returnedHash === undefined) return this.#hash(field, this.declared(field) ?? "");
    // Version 0.1.0 recorded the hash of a copy's address.
    return isCopied(this.definition, field) && returnedHash !== nothingHash ? copyHash : returnedHash;
  }

  #hash(field: string, value: string): string {
    return valueHash(this.definition, field, value);
  }
}

/** What a refresh displays: the declared value, or the live one of a field that has drifted. */
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
      // The address of one copy may be another one at each read.
      const isDisplayed = displayedCopy !== undefined && displayedCopy === detector.fieldStates[field]?.displayedCopy;
      displayed[field] = isDisplayed ? (detector.state[field] as string) : live[field];
      fieldStates[field] = { ...detector.fieldStates[field], declared, displayedCopy };
    }
  }
  return { displayed, fieldStates };
}
