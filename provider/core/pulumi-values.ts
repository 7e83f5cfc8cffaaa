/**
 * Special values in an engine's messages: in a preview, a value that is not known yet is a fixed string, at any depth; a secret or an
 * output is an object with a signature around the value, here called its envelope. The provider removes envelopes before it reads a value.
 */

import { SIG_KEY as SIGNATURE, SignatureKind, UNKNOWN } from "../../engine/resource/signatures";

export { UNKNOWN };
export const SECRET = SignatureKind.secret;
const OUTPUT = SignatureKind.output;

export type Properties = Record<string, unknown>;

/** True for a value that is not known yet, or that holds one at any depth. */
export function isUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(isUnknown);
  if (value === null || typeof value !== "object") return false;
  return Object.values(value).some(isUnknown);
}

type Secret = Properties & { [SIGNATURE]: typeof SECRET };

/** True for the envelope of a secret: in what the engine sends, and in a state. */
export const isSecret = (value: unknown): value is Secret =>
  value !== null && typeof value === "object" && (value as Properties)[SIGNATURE] === SECRET;

/** Marks a value in a result as secret. The engine knows the envelope although the SDK offers no way to make one. */
export function secret(value: unknown): Properties {
  return { [SIGNATURE]: SECRET, value };
}

type Output = Properties & { [SIGNATURE]: typeof OUTPUT };

/** True for the envelope of an output: `value` is absent as long as it is not known. */
export const isOutput = (value: unknown): value is Output =>
  value !== null && typeof value === "object" && (value as Properties)[SIGNATURE] === OUTPUT;

/** The envelope of an output that has no value yet. */
export const unknownOutput = (): Properties => ({ [SIGNATURE]: OUTPUT });

/** The value without envelopes; an output that has no value yet becomes {@link UNKNOWN}. */
export function unwrap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrap);
  if (value === null || typeof value !== "object") return value;
  const object = value as Properties;
  if (isSecret(object)) return unwrap(object.value);
  if (isOutput(object)) return "value" in object ? unwrap(object.value) : UNKNOWN;
  return mapValues(object, unwrap);
}

/** Properties without envelopes and without empty members. */
export function unwrapAll(properties: Properties | undefined): Properties {
  const unwrapped = unwrap(properties ?? {}) as Properties;
  return Object.fromEntries(Object.entries(unwrapped).filter(([, value]) => value !== undefined && value !== null));
}

/** What gRPC can carry: an `undefined` in a result would lose the object after the call that created it. */
export function toJson<T>(result: T): T {
  return JSON.parse(JSON.stringify(result));
}

export const mapValues = <T, R>(object: Record<string, T>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

export const withoutUndefined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
