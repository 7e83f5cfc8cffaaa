/**
 * Shows and changes the configuration of a stack.
 *
 * Used for: `config`.
 */
import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { isSharedStep, PROTOTYPE_KEY, withoutPrototypeKeys } from "../../fs/prototype-keys";
import type { ConfigEditor, ConfigValue, NewConfigValue } from "../api";
import { EngineError } from "../errors";
import { type Path, parsePath } from "../resource/property-path";
import type { Crypter } from "../secrets/crypter";
import type { PassphraseManager } from "../secrets/passphrase-sources";
import type { ProjectConfigType } from "./config-schema";
import { type ConfigNode, fullKey, hasSecure, withPath } from "./file-values";
import type { ProjectSettings } from "./project-settings";
import { resolveConfig } from "./resolve-config";
import type { StackSettingsFile } from "./stack-settings-file";

export class StackConfig implements ConfigEditor {
  readonly #stack: string;
  readonly #settings: ProjectSettings;
  readonly #keyring: PassphraseManager;
  readonly #readFile: () => Promise<StackSettingsFile>;
  /** The salt of the stack's state, for a file without one. */
  readonly #stateSalt: () => Promise<string | undefined>;
  /** The configuration of the last update; undefined before the first one. */
  readonly #deployed: () => Promise<Map<string, ConfigNode> | undefined>;

  constructor(
    stack: string,
    settings: ProjectSettings,
    keyring: PassphraseManager,
    readFile: () => Promise<StackSettingsFile>,
    stateSalt: () => Promise<string | undefined>,
    deployed: () => Promise<Map<string, ConfigNode> | undefined>,
  ) {
    this.#stack = stack;
    this.#settings = settings;
    this.#keyring = keyring;
    this.#readFile = readFile;
    this.#stateSalt = stateSalt;
    this.#deployed = deployed;
  }

  /** Decrypts and encrypts the file's secrets; created with the first secret. */
  async #crypterOf(file: StackSettingsFile): Promise<Crypter> {
    const salt = file.salt ?? (await this.#stateSalt());
    if (salt !== undefined) return this.#keyring.openCrypter(salt);
    if (![...file.values().values()].some(hasSecure)) return this.#keyring.createCrypter();
    throw new EngineError(
      `${file.path} has secrets, but what they were encrypted with, its encryptionsalt, is missing: restore that line`,
      "invalid",
    );
  }

  /** Values that are safe to print, by full key. */
  async list({ showSecrets = false } = {}): Promise<Map<string, ConfigValue>> {
    return this.#read(await this.#readFile(), () => showSecrets);
  }

  /** Values of an entry of the history. A secret that was encrypted with another passphrase cannot be shown. */
  async describe(values: Map<string, ConfigNode>, showSecrets: boolean): Promise<Record<string, ConfigValue>> {
    const file = await this.#readFile();
    const show = (opens: boolean) => this.#describeAll(file, values, () => opens, new Map());
    const closed = await show(false);
    const shown = showSecrets ? await show(true).catch(() => withUnreadable(closed)) : closed;
    return Object.fromEntries(shown);
  }

  /** All values, with the secrets of some keys decrypted. */
  #read(file: StackSettingsFile, opens: (key: string) => boolean): Promise<Map<string, ConfigValue>> {
    return this.#describeAll(file, file.values(), opens, this.#settings.configSchema);
  }

  async #describeAll(
    file: StackSettingsFile,
    values: Map<string, ConfigNode>,
    opens: (key: string) => boolean,
    declarations: Map<string, ProjectConfigType>,
  ): Promise<Map<string, ConfigValue>> {
    const secrets = [...values].filter(([, v]) => hasSecure(v)).map(([k]) => k);
    const hidden = new Set(secrets.filter((k) => !opens(k)));
    // Read only: values that Pulumi.yaml requires may be missing, and values that it would reject are listed.
    const presets = [...declarations].flatMap(([k, d]): [string, ProjectConfigType][] => {
      const preset = d.default ?? d.value;
      return preset === undefined || hidden.has(k) ? [] : [[k, { default: preset }]];
    });
    const resolved = resolveConfig({
      project: this.#settings.name,
      stack: this.#stack,
      values: new Map([...values].filter(([k]) => !hidden.has(k))),
      declarations: new Map(presets),
      crypter: secrets.length > hidden.size ? await this.#crypterOf(file) : undefined,
    });
    const result = new Map<string, ConfigValue>();
    for (const key of [...resolved.keys(), ...hidden].sort()) {
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

  /** One value, decrypted; undefined if it is not set. */
  async get(keyOrPath: string, { path: isPath = false } = {}): Promise<ConfigValue | undefined> {
    const [key, path] = this.#splitPath(keyOrPath, isPath);
    const file = await this.#readFile();
    const found = (await this.#read(file, (k) => k === key)).get(key);
    if (found === undefined || path.length === 0) return found;
    const value = valueAt(found.objectValue, path);
    if (value === undefined) return undefined;
    const isObject = value !== null && typeof value === "object";
    return {
      value: isObject ? JSON.stringify(value) : String(value),
      ...(isObject && { objectValue: value }),
      secret: found.secret && hasSecure((valueAt(file.values().get(key), path) ?? null) as ConfigNode),
    };
  }

  set(key: string, value: string, { secret = false, path = false } = {}): Promise<void> {
    return this.setAll([{ key, value, secret }], { path });
  }

  async setAll(values: readonly NewConfigValue[], { path = false } = {}): Promise<void> {
    const file = await this.#readFile();
    for (const value of values) await this.#setIn(file, value, path);
    await file.save();
  }

  async #setIn(
    file: StackSettingsFile,
    { key: keyOrPath, value, secret = false, objectValue }: NewConfigValue,
    isPath: boolean,
  ): Promise<void> {
    if (/(^|:)$/.test(keyOrPath)) throw new EngineError("a configuration key needs a name; none was given", "invalid");
    const [key, path] = this.#splitPath(keyOrPath, isPath);
    let raw: ConfigNode = path.length > 0 && !secret ? parseScalar(value) : value;
    rejectPrototype(keyOrPath, [key.slice(key.indexOf(":") + 1), ...path], objectValue);
    if (objectValue !== undefined) raw = objectValue as ConfigNode;
    if (secret) {
      const crypter = await this.#crypterOf(file);
      file.salt = crypter.salt;
      raw = { secure: crypter.encrypt(value) };
    }
    file.set(key, path.length === 0 ? raw : (withPath(key, file.values().get(key), path, raw) as ConfigNode));
  }

  async remove(keyOrPath: string, { path = false } = {}): Promise<void> {
    const [key] = this.#splitPath(keyOrPath, path);
    if (!(await this.#readFile()).values().has(key))
      throw new EngineError(`stack ${this.#stack} has no configuration ${key}`, "not-found");
    await this.removeAll([keyOrPath], { path });
  }

  async removeAll(keys: readonly string[], { path: isPath = false } = {}): Promise<void> {
    const file = await this.#readFile();
    for (const keyOrPath of keys) {
      const [key, path] = this.#splitPath(keyOrPath, isPath);
      const current = file.values().get(key);
      const left = path.length === 0 || current === undefined ? undefined : withPath(key, current, path, undefined);
      if (left === undefined) file.delete(key);
      else file.set(key, left);
    }
    await file.save();
  }

  async refresh({ force = false } = {}): Promise<string | undefined> {
    const deployed = await this.#deployed();
    if (deployed === undefined) throw new EngineError(`stack ${this.#stack} has no previous deployment`, "not-found");
    const file = await this.#readFile();
    const copy = !force && existsSync(file.path) ? freeName(file.path) : undefined;
    if (copy !== undefined) await copyFile(file.path, copy);
    for (const key of file.values().keys()) file.delete(key);
    for (const [key, value] of deployed) file.set(key, value);
    const salt = await this.#stateSalt();
    if (salt !== undefined) file.salt = salt;
    await file.save();
    return copy;
  }

  /** `ns:name.part[0]` or `ns:["a name"].part[0]` as the key and the path below it. */
  #splitPath(keyOrPath: string, isPath: boolean): [key: string, path: Path] {
    const full = fullKey(this.#settings.name, keyOrPath);
    if (!isPath) return [full, []];
    const colon = full.indexOf(":");
    const [name, ...path] = parsePath(full.slice(colon + 1)) ?? [];
    if (typeof name !== "string")
      throw new EngineError(
        `${JSON.stringify(keyOrPath)} is not a path: use name.part, name[0] or ["a name"].part`,
        "invalid",
      );
    return [full.slice(0, colon + 1) + name, path];
  }
}

/** Programs get values as objects, so a name that all objects inherit, such as `__proto__`, is rejected. */
function rejectPrototype(keyOrPath: string, steps: Path, objectValue: unknown): void {
  const step = (steps.length > 1 ? steps : []).find(isSharedStep) ?? steps.find((each) => each === PROTOTYPE_KEY);
  if (step !== undefined)
    throw new EngineError(
      `${JSON.stringify(keyOrPath)}: "${step}" is not allowed as a name: it is what all objects share`,
      "invalid",
    );
  try {
    withoutPrototypeKeys(objectValue);
  } catch (error) {
    throw new EngineError(`${JSON.stringify(keyOrPath)}: ${(error as Error).message}`, "invalid");
  }
}

const freeName = (file: string): string => (existsSync(`${file}.bak`) ? freeName(`${file}.bak`) : `${file}.bak`);

/** The text that the CLI shows for a secret that it cannot decrypt. */
const withUnreadable = (values: Map<string, ConfigValue>): Map<string, ConfigValue> =>
  new Map([...values].map(([key, v]) => [key, v.secret ? { ...v, value: "ERROR_UNABLE_TO_DECRYPT" } : v]));

function valueAt(value: unknown, [step, ...rest]: readonly (string | number)[]): unknown {
  if (step === undefined) return value;
  if (value === null || typeof value !== "object" || !Object.hasOwn(value, step)) return undefined;
  return valueAt((value as Record<string | number, unknown>)[step], rest);
}

/** In an object a text becomes a typed value, as in the CLI: true, 12 or "text". A number beyond the CLI's range remains a text. */
function parseScalar(text: string): ConfigNode {
  if (text === "true" || text === "false") return text === "true";
  if (!/^[+-]?(0|[1-9]\d*)$/.test(text)) return text;
  const number = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, number) === number ? number : text;
}
