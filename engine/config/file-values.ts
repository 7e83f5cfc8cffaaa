/** Configuration values as files contain them, in plain text or encrypted, and the texts that programs get. */
import { EngineError } from "../errors";
import { formatPath, type Path } from "../resource/property-path";
import type { Crypter } from "../secrets/crypter";

/** A value in the file: plain, or `{secure: <ciphertext>}` at any depth. */
export type ConfigNode = null | boolean | number | bigint | string | ConfigNode[] | { [key: string]: ConfigNode };

export const isSecure = (v: ConfigNode): v is { secure: string } =>
  v !== null &&
  typeof v === "object" &&
  !Array.isArray(v) &&
  Object.keys(v).length === 1 &&
  typeof v.secure === "string";

export const hasSecure = (v: ConfigNode): boolean =>
  isSecure(v) ||
  (v !== null && typeof v === "object" && (Array.isArray(v) ? v : Object.values(v)).some((x) => hasSecure(x)));

/** Text of a plain value, as programs get it; empty for a key without a value. */
export const plainText = (v: ConfigNode): string => String(v ?? "");

/**
 * JSON with sorted keys and with HTML's special characters as `\uXXXX`, as the CLI writes it: the text is an input of
 * providers, and is compared.
 */
export const sortedJson = (v: ConfigNode): string => escapeUnicode(json(v), /[<>&\u2028\u2029]/g);

export function json(v: ConfigNode): string {
  if (typeof v === "bigint") return String(v);
  if (v === null || typeof v !== "object") return JSON.stringify(v);
  if (Array.isArray(v)) return `[${v.map(json).join(",")}]`;
  const keys = Object.keys(v).sort();
  return `{${keys.map((k) => `${JSON.stringify(k)}:${json(v[k] as ConfigNode)}`).join(",")}}`;
}

/** A text in which these characters are written as `\uXXXX`. */
export const escapeUnicode = (text: string, characters: RegExp): string =>
  text.replace(characters, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

export function decryptNode(v: ConfigNode, decrypt: (cipher: string) => string): ConfigNode {
  if (isSecure(v)) return decrypt(v.secure);
  if (v === null || typeof v !== "object") return v;
  if (Array.isArray(v)) return v.map((x) => decryptNode(x, decrypt));
  return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, decryptNode(x, decrypt)]));
}

/** `key` with its namespace. */
export function fullKey(project: string, key: string): string {
  const old = /^([^:]+):config:(.+)$/.exec(key);
  if (old) return `${old[1]}:${old[2]}`;
  if (!key.includes(":")) return `${project}:${key}`;
  if (key.split(":").length !== 2)
    throw new EngineError(
      `${JSON.stringify(key)} is not a configuration key: it is "name" or "namespace:name"`,
      "invalid",
    );
  return key;
}

/** The decrypted text of every secret in a configuration, which must not be printed. */
export function decryptAll(values: Iterable<ConfigNode>, crypter: Crypter): string[] {
  const texts: string[] = [];
  for (const value of values)
    decryptNode(value, (cipher) => {
      const text = crypter.decrypt(cipher);
      texts.push(text);
      return text;
    });
  return texts;
}

/** Sets a value at a path below a key: `data.list[0]`. Returns the key's new value. */
export function withPath(
  key: string,
  current: ConfigNode | undefined,
  path: Path,
  value: ConfigNode | undefined,
): ConfigNode | undefined {
  const place = formatPath(path);
  const put = (at: ConfigNode | undefined, i: number): ConfigNode | undefined => {
    const step = path[i];
    if (step === undefined) return value;
    if (typeof step === "number") {
      if (at !== undefined && at !== null && !Array.isArray(at))
        throw new EngineError(`${key}: there is no list at ${place}`, "invalid");
      const list = [...((at as ConfigNode[] | null | undefined) ?? [])];
      if (step < 0) throw new EngineError(`${key}: a list has no element ${step}`, "invalid");
      if (step > list.length)
        throw new EngineError(`${key}: the list at ${place} has only ${list.length} elements`, "invalid");
      const next = put(list[step], i + 1);
      if (next === undefined) list.splice(step, 1);
      else list[step] = next;
      return list;
    }
    if (at !== undefined && at !== null && (typeof at !== "object" || Array.isArray(at) || isSecure(at)))
      throw new EngineError(`${key}: there is no object at ${place}`, "invalid");
    const object = { ...((at as Record<string, ConfigNode> | null | undefined) ?? {}) };
    const next = put(object[step], i + 1);
    if (next === undefined) delete object[step];
    else object[step] = next;
    return object;
  };
  return put(current, 0);
}

/** Configuration for the history, in the form of the file. */
export const historyConfig = (values: Map<string, ConfigNode>): Record<string, unknown> =>
  Object.fromEntries([...values].map(([k, v]) => [k, JSON.parse(sortedJson(v)) as unknown]));
