/**
 * What the provider records about an object, in the hidden output `__esign` of its state: the members are those that the schema names. From
 * the first release on they never change, so that states of every version stay readable.
 */
import { z } from "zod";
import { isOfLaterVersion } from "../../fs/format-version";
import { Failure } from "../core/failure";
import { laterVersion } from "../core/later-version";
import { type Properties, secret, withoutUndefined } from "../core/pulumi-values";
import { fieldsIn, type ResourceDefinition } from "../core/resource-definition";

/** Name of the hidden output. */
export const metadataKey = "__esign";

const formatVersion = 1;

/** What is recorded for one managed field. */
const fieldState = z.object({
  /** Hash of the value that the API returned; absent if it returned the declared value. */
  returnedHash: z.string().optional(),
  /** The declared value; set only while the live value has drifted, since the output with the field's name holds the live value then. */
  declared: z.string().optional(),
  /** The original value; `null` if there was no value, absent if it is not known. */
  original: z.string().nullable().optional(),
  /** Hash of a declared value that the API did not apply although it reported success. The next write that is applied removes it. */
  ignoredHash: z.string().optional(),
  /** Hash of the picture at the declared address when it was sent; absent if it is not known. */
  pictureHash: z.string().optional(),
  /** Identity (`CopyIdentity`) of the service's copy of a file after the last write; absent if it could not be determined. */
  copy: z.string().optional(),
  /** Identity of the copy whose address the state displays; set only while it differs from `copy`. */
  displayedCopy: z.string().optional(),
});

/** In milliseconds since 1970. One that is not valid is no error: the object counts as old. */
const time = z.number().optional().catch(undefined);

const metadata = z.object({
  /** ID that distinguishes the resources which manage the same object one after another. */
  instanceId: z.string().optional(),
  /** The account in which the object was last found: fingerprint of the key. */
  keyFingerprint: z.string().optional(),
  /** Base URL of its service. Of what is read by its id there is none until it is written. */
  address: z.string().optional(),
  /** True if the object existed before the stack and was adopted. */
  adopted: z.boolean().optional(),
  fields: z.record(z.string(), fieldState).optional(),
  /** Fingerprints of the values that were sent by updates with an unknown outcome, by field. The account may have these values. */
  unconfirmed: z.record(z.string(), z.array(z.string())).optional(),
  /** Name of the last write that this state includes. The journal may have a later one. */
  lastWrite: z.string().optional(),
  /** When the object was created or adopted. Reads may lag behind. */
  madeAt: time,
  /** When it was last written since. */
  writtenAt: time,
});

const format = metadata.extend({ version: z.literal(formatVersion) });

export type FieldState = z.output<typeof fieldState>;
export type Metadata = z.output<typeof metadata>;

/** Original values by field, from before the stack first changed them; `null` if there was no value. */
export type Originals = Record<string, string | null>;
/** Fingerprints of the values that were sent, by field. A live value with one of them was written by this stack. */
export type Fingerprints = Record<string, string[]>;

/** Identifies an account: the key, and the service where it is valid. */
export interface AccountName {
  /** Fingerprint of the key. */
  keyFingerprint: string;
  /** Base URL of the service, as the client normalizes it. */
  address: string;
}

/** The account that a state records. */
export type RecordedAccount = Pick<Metadata, keyof AccountName>;

/**
 * Reads the metadata from a state; empty for an imported object.
 * @throws {Failure} if it is not of this format
 */
export function decodeMetadata(definition: ResourceDefinition, state: Properties): Metadata {
  assertTexts(definition, state);
  const value = state[metadataKey];
  if (value === undefined) return {};
  if (isOfLaterVersion(value, formatVersion)) throw laterVersion("the state entry");
  const { data, error } = format.safeParse(value);
  if (error) throw invalidState(`${[metadataKey, ...error.issues[0]!.path].join(".")}: ${error.issues[0]!.message}`);
  const { version: _, ...decoded } = data;
  return decoded;
}

/** @throws {Failure} if a field in the state is not a text */
export function assertTexts(definition: ResourceDefinition, state: Properties): void {
  for (const field of fieldsIn(definition, state)) {
    if (state[field] !== undefined && typeof state[field] !== "string") throw invalidState(`${field} is not a string`);
  }
}

/** The instance ID in the hidden output; undefined if there is none. */
export function instanceIdIn(output: unknown): string | undefined {
  return format.safeParse(output).data?.instanceId;
}

/** Writes the hidden output. It is secret, since the values in it may be; members without a value are omitted. */
export function encodeMetadata({ adopted, fields = {}, unconfirmed = {}, ...rest }: Metadata): Properties {
  const nonEmpty = Object.entries(fields)
    .map(([field, each]) => [field, withoutUndefined(each)] as const)
    .filter(([, each]) => Object.keys(each).length > 0);
  return secret({
    version: formatVersion,
    ...withoutUndefined(rest),
    ...(adopted && { adopted }),
    ...(nonEmpty.length > 0 && { fields: Object.fromEntries(nonEmpty) }),
    ...(Object.keys(unconfirmed).length > 0 && { unconfirmed }),
  });
}

export const invalidState = (reason: string): Failure =>
  new Failure("ESIGN1050", `the state entry is invalid (${reason}): it was edited by hand`);
