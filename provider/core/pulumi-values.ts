/**
 * Special values in the engine's messages. A value that is not known yet (in a preview) is a fixed string, at any depth. A secret or an
 * output is an object with a signature and the value, here called an envelope. The provider removes envelopes before it reads a value.
 */

import { SIG_KEY as SIGNATURE, SignatureKind, UNKNOWN } from "../../engine/resource/signatures";

export { UNKNOWN };
export const SECRET = SignatureKind.secret;
const OUTPUT = SignatureKind.output;

export type Properties = Record<string, unknown>;

/** True if the value is not known yet, or contains such a value at any depth. */
export function isUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(isUnknown);
  if (value === null || typeof value !== "object") return false;
  return Object.values(value).some(isUnknown);
}

type Secret = Properties & { [SIGNATURE]: typeof SECRET };

/** True for the envelope of a secret, in messages and in states. */
export const isSecret = (value: unknown): value is Secret =>
  value !== null && typeof value === "object" && (value as Properties)[SIGNATURE] === SECRET;

/** Wraps a value in the envelope of a secret. The engine understands it, although the SDK has no function that makes one. */
export function secret(value: unknown): Properties {
  return { [SIGNATURE]: SECRET, value };
}

type Output = Properties & { [SIGNATURE]: typeof OUTPUT };

/** True for the envelope of an output. `value` is absent if it is not known yet. */
export const isOutput = (value: unknown): value is Output =>
  value !== null && typeof value === "object" && (value as Properties)[SIGNATURE] === OUTPUT;

/** The envelope of an output whose value is not known yet. */
export const unknownOutput = (): Properties => ({ [SIGNATURE]: OUTPUT });

/** The value without envelopes. An output whose value is not known yet becomes {@link UNKNOWN}. */
export function unwrap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrap);
  if (value === null || typeof value !== "object") return value;
  const object = value as Properties;
  if (isSecret(object)) return unwrap(object.value);
  if (isOutput(object)) return "value" in object ? unwrap(object.value) : UNKNOWN;
  return mapValues(object, unwrap);
}

/** The properties without envelopes, and without members that are null or undefined. */
export function unwrapAll(properties: Properties | undefined): Properties {
  const unwrapped = unwrap(properties ?? {}) as Properties;
  return Object.fromEntries(Object.entries(unwrapped).filter(([, value]) => value !== undefined && value !== null));
}

/** The result without `undefined`, which gRPC cannot encode: it would lose the object after the call that created it. */
export function toJson<T>(result: T): T {
  return JSON.parse(JSON.stringify(result));
}

export const mapValues = <T, R>(object: Record<string, T>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

export const withoutUndefined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
