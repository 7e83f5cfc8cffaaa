/**
 * Shows and changes the configuration of a stack.
 *
 * Serves: `config`.
 */
import type { ConfigValue } from "./api";
import { fullKey, hasSecure, pathBelow, type RawValue, resolve, type StackFile, withPath } from "./config";
import { EngineError } from "./errors";
import type { Keyring } from "./keyring";
import type { ProjectSettings } from "./project";

export class StackConfig {
  constructor(
    private readonly stack: string,
    private readonly settings: ProjectSettings,
    private readonly keyring: Keyring,
    private readonly file: StackFile,
  ) {}

  /** Values that are safe to print, by full key. */
  async show({ showSecrets = false } = {}): Promise<Map<string, ConfigValue>> {
    const { file } = this;
    const values = file.values();
    const salt = file.salt;
    const crypter =
      showSecrets && salt !== undefined && [...values.values()].some(hasSecure)
        ? await this.keyring.crypter(salt)
        : undefined;
    // Values that Pulumi.yaml asks for but nobody set are simply not there: this only looks.
    const declared = new Map(
      [...this.settings.declarations].filter(([k, d]) => values.has(k) || (d.default ?? d.value) !== undefined),
    );
    const hidden = new Map<string, RawValue>();
    if (crypter === undefined) for (const [k, v] of values) if (hasSecure(v)) hidden.set(k, v);
    const open = new Map([...values].filter(([k]) => !hidden.has(k)));
    for (const k of hidden.keys()) declared.delete(k);
    const resolved = resolve({
      project: this.settings.name,
      stack: this.stack,
      values: open,
      declarations: declared,
      crypter,
    });
    const result = new Map<string, ConfigValue>();
    for (const key of [...resolved.keys(), ...hidden.keys()].sort()) {
      const setting = resolved.get(key);
      result.set(
        key,
        setting === undefined
          ? { value: "[secret]", secret: true }
          : {
              value: setting.text,
              ...(setting.structured && { objectValue: JSON.parse(setting.text) as unknown }),
              secret: setting.secret,
            },
      );
    }
    return result;
  }

  /** One value, open; undefined when there is none. */
  async get(given: string, { path: isPath = false } = {}): Promise<ConfigValue | undefined> {
    const [key, inner] = splitPath(fullKey(this.settings.name, given), isPath);
    const found = (await this.show({ showSecrets: true })).get(key);
    if (found === undefined || inner === "") return found;
    const value = valueAt(found.objectValue, pathBelow(key, inner));
    if (value === undefined) return undefined;
    const isObject = value !== null && typeof value === "object";
    return {
      value: isObject ? JSON.stringify(value) : String(value),
      ...(isObject && { objectValue: value }),
      secret: found.secret,
    };
  }

  async set(given: string, value: string, { secret = false, path: isPath = false } = {}): Promise<void> {
    const { file } = this;
    if (/(^|:)$/.test(given)) throw new EngineError("a configuration key needs a name; none was given", "invalid");
    const [key, inner] = splitPath(fullKey(this.settings.name, given), isPath);
    let raw: RawValue = isPath && !secret ? typed(value) : value;
    if (secret) {
      const crypter = file.salt === undefined ? await this.keyring.newCrypter() : await this.keyring.crypter(file.salt);
      file.salt = crypter.salt;
      raw = { secure: crypter.encrypt(value) };
    }
    file.set(key, inner === "" ? raw : (withPath(key, file.values().get(key), inner, raw) as RawValue));
    await file.save();
  }

  async remove(given: string, { path: isPath = false } = {}): Promise<void> {
    const { file } = this;
    const [key, inner] = splitPath(fullKey(this.settings.name, given), isPath);
    const current = file.values().get(key);
    if (current === undefined) throw new EngineError(`stack ${this.stack} has no configuration ${key}`, "not-found");
    const left = inner === "" ? undefined : withPath(key, current, inner, undefined);
    if (left === undefined) file.delete(key);
    else file.set(key, left);
    await file.save();
  }
}

function valueAt(value: unknown, [step, ...rest]: readonly (string | number)[]): unknown {
  if (step === undefined) return value;
  if (value === null || typeof value !== "object" || !Object.hasOwn(value, step)) return undefined;
  return valueAt((value as Record<string | number, unknown>)[step], rest);
}

/** `ns:name.part[0]` as the key and the path below it. */
function splitPath(key: string, isPath: boolean): [key: string, inner: string] {
  if (!isPath) return [key, ""];
  const match = /^([^:]+:[^.[\]]+)(?:\.?(.*))$/s.exec(key);
  return match ? [match[1] as string, match[2] as string] : [key, ""];
}

/** In an object a value has a type: true, 12 and "text". */
function typed(text: string): RawValue {
  if (text === "true" || text === "false") return text === "true";
  if (/^(0|-?[1-9]\d*)$/.test(text)) return BigInt(text);
  return text;
}
