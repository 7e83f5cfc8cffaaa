/**
 * What the provider records about an object, in the hidden output `__esign` of its state. The names in the state never change, so that
 * states of every version stay readable.
 */
import { z } from "zod";
import { Failure } from "../core/failure";
import { mapValues, type Properties, secret, withoutUndefined } from "../core/pulumi-values";
import { fieldsIn, type ResourceDefinition } from "../core/resource-definition";

/** Original values by field, from before the stack first changed them; `null` if there was no value. */
export type Originals = Record<string, string | null>;
/** Fingerprints of the values that were sent, by field. A live value with one of them was written by this stack. */
export type Fingerprints = Record<string, string[]>;

/** What is recorded for one managed field. */
export interface FieldState {
  /** Hash of the value that the API returned; absent if it returned the declared value. */
  returnedHash?: string | undefined;
  /** The declared value; set only while the live value has drifted, since the output with the field's name holds the live value then. */
  declared?: string | undefined;
  /** The original value; `null` if there was no value, absent if it is not known. */
  original?: string | null | undefined;
  /** Hash of a declared value that the API did not apply although it reported success. The next write that is applied removes it. */
  ignoredHash?: string | undefined;
  /** Hash of the picture at the declared address when it was sent; absent if it is not known. */
  pictureHash?: string | undefined;
  /** Identity (`CopyIdentity`) of the service's copy of a file after the last write; absent if it could not be determined. */
  copy?: string | undefined;
  /** Identity of the copy whose address the state displays; set only while it differs from `copy`. */
  displayedCopy?: string | undefined;
}

/** Identifies an account: the key, and the service where it is valid. */
export interface AccountName {
  /** Fingerprint of the key. */
  keyFingerprint: string;
  /** Base URL of the service, as the client normalizes it. */
  address: string;
}

/** The account in which the object was last found. Of what is read by its id there is no address until it is written. */
export type RecordedAccount = { [part in keyof AccountName]?: string | undefined };

export interface Metadata extends RecordedAccount {
  /** ID that distinguishes the resources which manage the same object one after another. */
  instanceId?: string | undefined;
  /** True if the object existed before the stack and was adopted. */
  adopted?: boolean | undefined;
  fields?: Record<string, FieldState> | undefined;
  /** Fingerprints of the values that were sent by updates with an unknown outcome, by field. The account may have these values. */
  unconfirmed?: Fingerprints | undefined;
  /** Name of the last write that this state includes. The journal may have a later one. */
  lastWrite?: string | undefined;
  /**
   * When the object was created or adopted (`madeAt`), and when it was last written (`writtenAt`), in milliseconds since 1970. Reads may
   * lag behind both.
   */
  madeAt?: number | undefined;
  writtenAt?: number | undefined;
}

/** Name of the hidden output. */
export const metadataKey = "__esign";

/** Schema of the hidden output. Its member names never change. */
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
 * Reads the metadata from a state; empty for an imported object.
 * @throws {Failure} if a member has a type that no version has written
 */
export function decodeMetadata(definition: ResourceDefinition, state: Properties): Metadata {
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

/** A time that is missing or not valid is undefined, not an error: the object counts as old. */
function parseTime(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

const formatTime = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

/** @throws {Failure} if a field in the state is not a text */
export function assertTexts(definition: ResourceDefinition, state: Properties): void {
  for (const field of fieldsIn(definition, state)) {
    if (state[field] !== undefined && typeof state[field] !== "string") throw invalidState(`${field} is not a string`);
  }
}

/** The instance ID in the hidden output; undefined if there is none. */
export function instanceIdIn(output: unknown): string | undefined {
  return format.safeParse(output).data?.born;
}

/** Writes the hidden output. It is secret, since the values in it may be; members without a value are omitted. */
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
  new Failure("ESIGN1050", `the state entry is invalid (${reason}): it was edited by hand`);
