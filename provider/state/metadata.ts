/**
 * The provider's private state of one object, kept in its hidden output `__esign`. The names of its members there never
 * change: states of every version stay readable.
 */
import { z } from "zod";
import { Failure } from "../core/failure";
import { mapValues, type Properties, secret, withoutUndefined } from "../core/pulumi-values";
import { type Definition, fieldsIn } from "../core/resource-definition";

/** The values before the first change, by field; `null` if there was none. */
export type Originals = Record<string, string | null>;
/** Fingerprints of the values that were sent, by field: a live value with one of them is this stack's own. */
export type Fingerprints = Record<string, string[]>;

/** What is recorded of one managed field. */
export interface FieldState {
  /** Hash of what the API returned; absent if that is the declared value itself. */
  returnedHash?: string | undefined;
  /** The declared value, only while the live one has drifted: the output of the field's name holds the live one then. */
  declared?: string | undefined;
  /** The original value; `null` if there was none; absent if it is not known. */
  original?: string | null | undefined;
  /** Hash of a declared value that a write did not apply, although the API reported success; gone with the next write that does. */
  ignoredHash?: string | undefined;
  /** Hash of the picture that was behind the declared address when it was sent; absent if it is not known. */
  pictureHash?: string | undefined;
  /** What identifies the account's copy of a file after the last write (`CopyIdentity`); absent if it could not be had. */
  copy?: string | undefined;
  /** The same of the copy that is displayed, only while the account has another one than `copy`. */
  displayedCopy?: string | undefined;
}

/** What names an account: a key, and where it is used. */
export interface AccountName {
  /** Fingerprint of the key. */
  keyFingerprint: string;
  /** The service's URL, as the client has it. */
  address: string;
}

/** The account in which an object was last seen as expected. States of older versions have no address. */
export type RecordedAccount = { [part in keyof AccountName]?: string | undefined };

export interface Metadata extends RecordedAccount {
  /** Distinguishes the resources that have managed the same object one after another. */
  instanceId?: string | undefined;
  /** True for an object that existed before and was adopted. */
  adopted?: boolean | undefined;
  fields?: Record<string, FieldState> | undefined;
  /** Fingerprints of what updates with unknown outcome have sent, by field: the account may have that. */
  unconfirmed?: Fingerprints | undefined;
  /** Name of the last write that this state includes; the journal may have a later one. */
  lastWrite?: string | undefined;
  /** When the object was created or adopted, and when it was last written, as times of day (milliseconds since 1970): reads may lag behind. */
  madeAt?: number | undefined;
  writtenAt?: number | undefined;
}

/** The name of the hidden output. */
export const metadataKey = "__esign";

/** The format in the state. */
const format = z.looseObject({
  born: z.string().optional(),
  key: z.string().optional(),
  at: z.string().optional(),
  adopted: z.unknown().optional(),
  fields: z
    .record(
      z.string(),
      z.looseObject({
        echo: z.string().optional(),
        sent: z.string().optional(),
        original: z.string().nullable().optional(),
        ignored: z.string().optional(),
        picture: z.string().optional(),
        copy: z.string().optional(),
        shown: z.string().optional(),
      }),
    )
    .optional(),
  perhaps: z.record(z.string(), z.array(z.string())).optional(),
  write: z.string().optional(),
  made: z.string().optional(),
  wrote: z.string().optional(),
});

/**
 * The metadata in a state; empty for imported objects.
 * @throws {Failure} if a member has another type than it was written with
 */
export function decodeMetadata(definition: Definition, state: Properties): Metadata {
  assertTexts(definition, state);
  const value = state[metadataKey];
  if (value === undefined) return {};
  const { data, error } = format.safeParse(value);
  if (error) throw invalidState(`${[metadataKey, ...error.issues[0]!.path].join(".")}: ${error.issues[0]!.message}`);
  const { born, key, at, adopted, fields = {}, perhaps, write, made, wrote = made } = data;
  return {
    instanceId: born,
    keyFingerprint: key,
    address: at,
    adopted: Boolean(adopted),
    fields: mapValues(fields, ({ echo, sent, original, ignored, picture, copy, shown }) =>
      withoutUndefined({
        ...{ returnedHash: echo, declared: sent, original, ignoredHash: ignored },
        ...{ pictureHash: picture, copy, displayedCopy: shown },
      }),
    ),
    unconfirmed: perhaps,
    lastWrite: write,
    madeAt: parseTime(made),
    writtenAt: parseTime(wrote),
  };
}

/** Not an error: what is not known counts as old. */
function parseTime(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

const formatTime = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

/** @throws {Failure} if a field of the state is no text */
export function assertTexts(definition: Definition, state: Properties): void {
  for (const field of fieldsIn(definition, state)) {
    if (state[field] !== undefined && typeof state[field] !== "string") throw invalidState(`${field} is not a string`);
  }
}

/** The instance id in the hidden output; undefined if it has none. */
export function instanceIdIn(output: unknown): string | undefined {
  return format.safeParse(output).data?.born;
}

/** The hidden output: secret, since the values in it may be, and without empty members. */
export function encodeMetadata(metadata: Metadata): Properties {
  const {
    instanceId,
    keyFingerprint,
    address,
    adopted,
    fields = {},
    unconfirmed = {},
    lastWrite,
    madeAt,
    writtenAt,
  } = metadata;
  const encoded = mapValues(fields, ({ returnedHash, declared, original, ignoredHash, pictureHash, ...each }) =>
    withoutUndefined({
      ...{ echo: returnedHash, sent: declared, original, ignored: ignoredHash },
      ...{ picture: pictureHash, copy: each.copy, shown: each.displayedCopy },
    }),
  );
  const nonEmpty = Object.entries(encoded).filter(([, field]) => Object.keys(field).length > 0);
  return secret({
    v: 1,
    ...withoutUndefined({ born: instanceId, key: keyFingerprint, at: address, adopted: adopted || undefined }),
    ...(nonEmpty.length > 0 && { fields: Object.fromEntries(nonEmpty) }),
    ...(Object.keys(unconfirmed).length > 0 && { perhaps: unconfirmed }),
    ...withoutUndefined({
      write: lastWrite,
      made: formatTime(madeAt),
      wrote: writtenAt === madeAt ? undefined : formatTime(writtenAt),
    }),
  });
}

export const invalidState = (reason: string): Failure =>
  new Failure(
    "ESIGN1050",
    `the state entry is invalid (${reason}): it was edited by hand`,
    "Restore a state backup, or remove the resource from the state and adopt it again",
  );
