/**
 * Property values as Pulumi's protocol has them (google.protobuf.Struct as JSON). They are plain JSON; an object with the signature key
 * represents what JSON cannot hold, such as a secret or an asset. The engine keeps this form in memory, so that it encodes and decodes
 * messages without a conversion of its own.
 *
 * Used for: the properties in messages of ResourceMonitor and ResourceProvider, and in the state.
 */
import { SIG_KEY, SignatureKind, UNKNOWN } from "./signatures";

export type Value = null | boolean | number | string | Value[] | ValueMap;
export type ValueMap = { [key: string]: Value };

export const isObject = (v: unknown): v is Record<string, unknown> =>
  v !== null && typeof v === "object" && !Array.isArray(v);
/** True for an object without a signature. */
export const isMap = (v: Value | undefined): v is ValueMap => isObject(v) && v[SIG_KEY] === undefined;
/** An object whose signature says what it represents. */
export type Tagged<K extends string> = ValueMap & { readonly [SIG_KEY]: K };
const hasSignature =
  <K extends string>(kind: K) =>
  (v: Value | undefined): v is Tagged<K> =>
    isObject(v) && v[SIG_KEY] === kind;

export const isUnknown = (v: Value | undefined): boolean => v === UNKNOWN;
export const isSecret = hasSignature(SignatureKind.secret);
export const isReference = hasSignature(SignatureKind.reference);
const isOutput = hasSignature(SignatureKind.output);
export const isAsset = hasSignature(SignatureKind.asset);
export const isArchive = hasSignature(SignatureKind.archive);

/** Marks a value as secret. A value that is secret already is returned unchanged. */
export const secret = (v: Value): Value => (isSecret(v) ? v : { [SIG_KEY]: SignatureKind.secret, value: v });
/** The value inside a secret, also where secrets are nested. */
export const unwrapSecret = (v: Value): Value => (isSecret(v) ? unwrapSecret(v.value ?? null) : v);

/**
 * Applies `change` to every part of a value, the innermost first. Returns the same object where nothing changed. `change` must keep a
 * plain object a plain object.
 */
export const mapDeep = <T extends Value>(v: T, change: (v: Value) => Value): T => rebuild(v, change) as T;

function rebuild(v: Value, change: (v: Value) => Value): Value {
  if (v === null || typeof v !== "object") return change(v);
  if (Array.isArray(v)) {
    let copy: Value[] | undefined;
    for (let i = 0; i < v.length; i++) {
      const old = v[i] as Value;
      const now = rebuild(old, change);
      if (now !== old) {
        copy ??= v.slice();
        copy[i] = now;
      }
    }
    return change(copy ?? v);
  }
  let copy: ValueMap | undefined;
  for (const key of Object.keys(v)) {
    const old = v[key] as Value;
    const now = rebuild(old, change);
    if (now !== old) {
      copy ??= { ...v };
      copy[key] = now;
    }
  }
  return change(copy ?? v);
}

/** True if the test holds for the value or for any part of it. */
export function someDeep(v: Value | undefined, test: (v: Value) => boolean): boolean {
  if (v === undefined) return false;
  if (test(v)) return true;
  if (v === null || typeof v !== "object") return false;
  for (const part of Array.isArray(v) ? v : Object.values(v)) if (someDeep(part, test)) return true;
  return false;
}
export const containsUnknown = (v: Value | undefined): boolean => someDeep(v, isUnknown);
export const containsSecret = (v: Value | undefined): boolean => someDeep(v, isSecret);

/**
 * Replaces output values by their plain value: unknown if they have none, secret if they are. The engine keeps their dependencies
 * separately (propertyDependencies), and neither states nor providers get them.
 */
export const unwrapOutputValues = (values: ValueMap): ValueMap =>
  mapDeep(values, (v) => {
    if (!isOutput(v)) return v;
    const value = v.value === undefined ? UNKNOWN : v.value;
    return v.secret === true ? secret(value) : value;
  });

/** The URNs on which the output values inside a value depend. */
export function collectOutputDependencies(v: Value | undefined, into: Set<string> = new Set()): Set<string> {
  if (v === undefined || v === null || typeof v !== "object") return into;
  if (isOutput(v) && Array.isArray(v.dependencies)) for (const urn of v.dependencies) into.add(String(urn));
  for (const part of Array.isArray(v) ? v : Object.values(v)) collectOutputDependencies(part, into);
  return into;
}

/** The value with all secrets replaced by their plain values, at any depth. */
export const unwrapSecrets = <T extends Value>(v: T): T => mapDeep(v, unwrapSecret);

/** Which special values a provider accepts, besides plain ones. */
export interface KnownKinds {
  secrets: boolean;
  references: boolean;
}

/**
 * The inputs as a provider gets them for check and create: special values that it does not accept become plain. A reference becomes the
 * resource's id, or its URN if it has no id.
 */
export const toProviderInputs = (
  values: ValueMap,
  knows: KnownKinds = { secrets: false, references: false },
): ValueMap =>
  mapDeep(values, (v) => {
    if (isSecret(v) && !knows.secrets) return unwrapSecret(v);
    if (isReference(v) && !knows.references)
      return v.id === undefined || v.id === "" || v.id === null ? (v.urn as Value) : v.id;
    return v;
  });

/** The inputs and outputs as a provider gets them to diff, read and delete: of an asset only the hash, as the Pulumi CLI does it. */
export const toProviderState = (values: ValueMap, knows?: KnownKinds): ValueMap =>
  mapDeep(toProviderInputs(values, knows), (v) => {
    if (!isAsset(v)) return v;
    const { path: _path, text: _text, ...rest } = v;
    return rest;
  });

const hasContent = ({ path, text, uri }: ValueMap): boolean => [path, text, uri].some((c) => typeof c === "string");

/** Fills in the contents of assets that a provider returned with a hash only. They are found by the hash in `sources`. */
export function restoreAssetContents(values: ValueMap, ...sources: (ValueMap | undefined)[]): ValueMap {
  const lacksContent = (v: Value): v is Tagged<typeof SignatureKind.asset> => isAsset(v) && !hasContent(v);
  if (!someDeep(values, lacksContent)) return values;
  const contents = new Map<Value | undefined, Value>();
  for (const source of sources)
    someDeep(source, (v) => {
      if (isAsset(v) && hasContent(v)) contents.set(v.hash, v);
      return false;
    });
  return mapDeep(values, (v) => (lacksContent(v) ? (contents.get(v.hash) ?? v) : v));
}

/** Marks values in `outs` as secret where the input of the same key is: nested objects key by key, a list as a whole. */
export function annotateSecrets(outs: ValueMap, ins: ValueMap | undefined): ValueMap {
  if (ins === undefined) return outs;
  let copy: ValueMap | undefined;
  for (const key of Object.keys(ins)) {
    const out = outs[key];
    const input = ins[key] as Value;
    if (out === undefined) continue;
    const now =
      isMap(out) && isMap(input)
        ? annotateSecrets(out, input)
        : !isSecret(out) && containsSecret(input)
          ? secret(out)
          : out;
    if (now !== out) {
      copy ??= { ...outs };
      copy[key] = now;
    }
  }
  return copy ?? outs;
}

/** Marks top-level outputs as secret: the `named` ones, and those whose input of the same name is secret as a whole. */
export function markSecretOutputs(outs: ValueMap, ins: ValueMap | undefined, named: readonly string[] = []): ValueMap {
  let copy: ValueMap | undefined;
  for (const key of Object.keys(outs)) {
    const out = outs[key] as Value;
    if (isSecret(out) || !(named.includes(key) || isSecret(ins?.[key]))) continue;
    copy ??= { ...outs };
    copy[key] = secret(out);
  }
  return copy ?? outs;
}

/** Compares two values. A secret differs from the plain value; null equals absent; assets are compared by hash. */
export function isEqual(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || a === null || b === undefined || b === null) return (a ?? null) === (b ?? null);
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!isEqual(a[i], b[i])) return false;
    return true;
  }
  if (a[SIG_KEY] !== b[SIG_KEY]) return false;
  if (isReference(a)) return a.urn === b.urn && isEqual(a.id, b.id);
  if ((isAsset(a) || isArchive(a)) && a.hash !== undefined && b.hash !== undefined) return a.hash === b.hash;
  for (const key of Object.keys(a)) if (!isEqual(a[key], b[key])) return false;
  for (const key of Object.keys(b)) if (!(key in a) && b[key] !== null) return false;
  return true;
}

/** True for a value that is printed without a secret. */
export const isPrintedInPart = (v: Value): boolean =>
  someDeep(v, (each) => isSecret(each) || (isOutput(each) && (each as ValueMap).secret === true));

/** The value as it may be printed: without secrets, unless `showSecrets` is set. Assets are unchanged. */
export function toPrintable(v: Value | undefined, showSecrets = false): unknown {
  if (v === undefined || v === null || typeof v !== "object") return isUnknown(v) ? "[unknown]" : v;
  if (Array.isArray(v)) return v.map((x) => toPrintable(x, showSecrets));
  if (isSecret(v)) return showSecrets ? toPrintable(v.value ?? null, true) : "[secret]";
  if (isReference(v)) return v.id === undefined || v.id === "" ? v.urn : toPrintable(v.id);
  if (isOutput(v)) {
    if (v.secret === true && !showSecrets) return "[secret]";
    return v.value === undefined ? "[unknown]" : toPrintable(v.value, showSecrets);
  }
  return toPrintableMap(v, showSecrets);
}
export const toPrintableMap = (values: ValueMap, showSecrets = false): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([k]) => k !== RESOURCE_MARK)
      .map(([k, v]) => [k, toPrintable(v, showSecrets)]),
  );

/** The SDK adds this key to a resource that is a stack output, in previews only. */
const RESOURCE_MARK = "@isPulumiResource";
