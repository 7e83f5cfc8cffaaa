/**
 * Configuration of a stack: Pulumi.<stack>.yaml, with the defaults of Pulumi.yaml. A value is text, or a list or object
 * that is handed out as JSON text; a value with a secret anywhere in it is secret as a whole.
 *
 * Serves: PULUMI_CONFIG and PULUMI_CONFIG_SECRET_KEYS of the program, the inputs of default providers, `config`.
 */
import { type Document, isMap as isYamlMap, type Node, parseDocument, Scalar, visit } from "yaml";
import { writeDurably } from "../disk/durable-file";
import { EngineError, messageOf } from "./errors";
import { readText } from "./files";
import { inWords, olderYamlFirst } from "./older-yaml";
import { formatPath, type Path } from "./paths";
import type { Crypter } from "./secrets";
import { isObject } from "./values";

/** A value as the file has it: plain, or `{secure: <ciphertext>}` at any depth. */
export type RawValue = null | boolean | number | bigint | string | RawValue[] | { [key: string]: RawValue };

/** One resolved value. */
export interface Setting {
  text: string;
  secret: boolean;
  /** True for a list or an object, whose text is JSON. */
  structured: boolean;
}
/** Resolved configuration, by full key (`namespace:name`), in the order of the keys. */
export type Settings = Map<string, Setting>;

/** What Pulumi.yaml says about a key. */
export interface ConfigDeclaration {
  type?: string;
  items?: { type?: string };
  default?: RawValue;
  value?: RawValue;
  secret?: boolean;
  description?: string;
}

const isSecure = (v: RawValue): v is { secure: string } =>
  v !== null &&
  typeof v === "object" &&
  !Array.isArray(v) &&
  Object.keys(v).length === 1 &&
  typeof v.secure === "string";

export const hasSecure = (v: RawValue): boolean =>
  isSecure(v) ||
  (v !== null && typeof v === "object" && (Array.isArray(v) ? v : Object.values(v)).some((x) => hasSecure(x)));

/** Text of a plain value, as programs get it: none where a key stands without a value. */
const plainText = (v: RawValue): string => String(v ?? "");

/**
 * JSON with the keys in order and what is special in HTML by its number, as the CLI makes it: the text is an input of
 * providers and is compared.
 */
const sortedJson = (v: RawValue): string => byNumber(json(v), /[<>&\u2028\u2029]/g);

function json(v: RawValue): string {
  if (typeof v === "bigint") return String(v);
  if (v === null || typeof v !== "object") return JSON.stringify(v);
  if (Array.isArray(v)) return `[${v.map(json).join(",")}]`;
  const keys = Object.keys(v).sort();
  return `{${keys.map((k) => `${JSON.stringify(k)}:${json(v[k] as RawValue)}`).join(",")}}`;
}

/** A text in which these characters are written as `\uXXXX`. */
const byNumber = (text: string, characters: RegExp): string =>
  text.replace(characters, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

function opened(v: RawValue, decrypt: (cipher: string) => string): RawValue {
  if (isSecure(v)) return decrypt(v.secure);
  if (v === null || typeof v !== "object") return v;
  if (Array.isArray(v)) return v.map((x) => opened(x, decrypt));
  return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, opened(x, decrypt)]));
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

/** The file of a stack, with its comments and its order. */
export class StackFile {
  private constructor(
    readonly path: string,
    private readonly project: string,
    private readonly document: Document,
  ) {}

  static async read(file: string, project: string): Promise<StackFile> {
    const text = (await readText(file)) ?? "";
    // Whole numbers as bigint: an account number must not lose its last digits. `<<` merges, as for the CLI.
    const document = parseDocument(text, { intAsBigInt: true, merge: true, customTags: olderYamlFirst });
    const problem = document.errors[0];
    if (problem) throw new EngineError(`${file}: ${messageOf(problem)}`, "invalid");
    const stack = new StackFile(file, project, document);
    stack.refuseOthers();
    stack.refuseUnknown();
    return stack;
  }

  /** What is no configuration would be taken for none, and a run would go by the environment instead. */
  private refuseOthers(): void {
    const refuse = (what: string): never => {
      throw new EngineError(`${this.path}: ${what} must be an object, with the values by their keys`, "invalid");
    };
    if (!isObject(this.content())) refuse("its content");
    if (!isObject(this.content().config ?? {})) refuse("config");
  }

  private refuseUnknown(): void {
    const refuse = (key: string, what: string): never => {
      throw new EngineError(
        `${this.path} has ${JSON.stringify(key)}: ${what}. The embedded engine does not do this; use the Pulumi CLI for this stack`,
      );
    };
    const content = this.content();
    if (content.environment !== undefined) refuse("environment", "configuration from environments of Pulumi ESC");
    const provider = content.secretsprovider;
    if (provider !== undefined && provider !== "" && provider !== "default" && provider !== "passphrase")
      refuse("secretsprovider", `secrets kept with ${String(provider)}`);
    if (content.encryptedkey !== undefined && content.encryptedkey !== "")
      refuse("encryptedkey", "secrets kept with a key of a cloud service");
  }

  private content(): Record<string, unknown> {
    try {
      return (this.document.toJS({ reviver: inWords }) as Record<string, unknown> | null) ?? {};
    } catch (error) {
      // A name with a star in front that stands for nothing.
      throw new EngineError(`${this.path}: ${messageOf(error)}`, "invalid");
    }
  }

  /** `v1:<salt>:<check>`, or undefined for a stack without secrets. */
  get salt(): string | undefined {
    const salt = this.content().encryptionsalt;
    return typeof salt === "string" && salt !== "" ? salt : undefined;
  }
  set salt(salt: string) {
    this.document.set("encryptionsalt", salt);
  }

  /** Values by full key, as they stand in the file. */
  values(): Map<string, RawValue> {
    const config = this.content().config as Record<string, RawValue> | null | undefined;
    return new Map(Object.entries(config ?? {}).map(([k, v]) => [fullKey(this.project, k), v]));
  }

  set(key: string, value: RawValue): void {
    const old = isYamlMap(this.document.get("config"))
      ? Object.keys((this.content().config as object | null) ?? {}).find((k) => fullKey(this.project, k) === key)
      : undefined;
    if (old === undefined && !isYamlMap(this.document.get("config")))
      this.document.set("config", this.document.createNode({}));
    this.document.setIn(["config", old ?? key], quoted(this.document.createNode(value)));
  }

  delete(key: string): boolean {
    const name = Object.keys((this.content().config as object | null) ?? {}).find(
      (k) => fullKey(this.project, k) === key,
    );
    return name !== undefined && this.document.deleteIn(["config", name]);
  }

  async save(): Promise<void> {
    // Of a project whose file is JSON, the CLI reads JSON only.
    const asJson = this.path.endsWith(".json")
      ? ({
          collectionStyle: "flow",
          defaultStringType: "QUOTE_DOUBLE",
          defaultKeyType: "QUOTE_DOUBLE",
          doubleQuotedAsJSON: true,
          indent: 4,
        } as const)
      : {};
    visit(this.document, {
      Scalar: (_key, scalar) => {
        // Only in these quotes a number is read as the character.
        if (typeof scalar.value === "string" && scalar.value.search(strange) >= 0) scalar.type = Scalar.QUOTE_DOUBLE;
      },
    });
    await writeDurably(this.path, byNumber(this.document.toString({ lineWidth: 0, ...asJson }), strange));
  }
}

/** What the CLI takes for the end of a line, or takes no file with: it is written by its number. */
const strange = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * Texts that begin like a number or a date in quotes: the CLI reads an older YAML than this library writes, in which more
 * of them are not texts.
 */
function quoted(node: Node): Node {
  visit(node, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === "string" && /^[\d.+-]/.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return node;
}

/** Every text that is encrypted in a configuration, in clear: what must not be printed. */
export function secretTexts(values: Iterable<RawValue>, crypter: Crypter): string[] {
  const texts: string[] = [];
  for (const value of values)
    opened(value, (cipher) => {
      const text = crypter.decrypt(cipher);
      texts.push(text);
      return text;
    });
  return texts;
}

/** The configuration of a run: the stack's values, then the project's defaults; checked against the project's types. */
export function resolve(options: {
  project: string;
  stack: string;
  values: Map<string, RawValue>;
  declarations: Map<string, ConfigDeclaration>;
  crypter: Crypter | undefined;
  /** Values for this run only. */
  extra?: Record<string, string> | undefined;
}): Settings {
  const { project, stack, declarations, crypter } = options;
  const values = new Map(options.values);
  for (const [key, text] of Object.entries(options.extra ?? {})) values.set(fullKey(project, key), text);
  const missing: string[] = [];
  for (const [key, d] of declarations) {
    if (values.has(key)) continue;
    const preset = d.default ?? d.value;
    if (preset !== undefined) values.set(key, preset);
    else if (key.startsWith(`${project}:`)) missing.push(key.slice(project.length + 1));
  }
  if (missing.length > 0)
    throw new EngineError(
      `stack ${stack} lacks the configuration ${missing.map((k) => JSON.stringify(k)).join(", ")}, which Pulumi.yaml asks for. ` +
        `Set it: ${missing.map((k) => `config set ${declarations.get(`${project}:${k}`)?.secret ? "--secret " : ""}${k} <value>`).join("; ")}`,
      "invalid",
    );
  const decrypt = (cipher: string): string => {
    if (crypter === undefined)
      throw new EngineError(`the configuration of stack ${stack} has secrets but no encryptionsalt`, "invalid");
    return crypter.decrypt(cipher);
  };
  const settings: Settings = new Map();
  for (const key of [...values.keys()].sort()) {
    const raw = values.get(key) as RawValue;
    const structured = raw !== null && typeof raw === "object" && !isSecure(raw);
    const value = opened(raw, decrypt);
    settings.set(key, {
      text: structured ? sortedJson(value) : plainText(value),
      secret: hasSecure(raw),
      structured,
    });
    const declared = declarations.get(key);
    if (declared?.type === undefined) continue;
    if (declared.secret && !hasSecure(raw))
      throw new EngineError(
        `the configuration ${key} of stack ${stack} must be encrypted, as Pulumi.yaml says: config set --secret ${key}`,
        "invalid",
      );
    checkType(key, value, structured, declared, stack, hasSecure(raw));
  }
  return settings;
}

function checkType(
  key: string,
  value: RawValue,
  structured: boolean,
  declared: ConfigDeclaration,
  stack: string,
  isSecret: boolean,
): void {
  const fits = (type: string, v: RawValue, items?: { type?: string }): boolean => {
    switch (type) {
      case "string":
        return v === null || typeof v !== "object";
      case "integer":
        return /^[+-]?\d+$/.test(plainText(v));
      case "number":
        return plainText(v).trim() !== "" && Number.isFinite(Number(plainText(v)));
      case "boolean":
        return /^(true|false)$/.test(plainText(v));
      case "array":
        return Array.isArray(v) && (items?.type === undefined || v.every((x) => fits(items.type as string, x)));
      case "object":
        return v !== null && typeof v === "object" && !Array.isArray(v);
      default:
        return true;
    }
  };
  const type = declared.type as string;
  let candidate = value;
  if (!structured && (type === "array" || type === "object"))
    try {
      candidate = JSON.parse(plainText(value)) as RawValue;
    } catch {
      // Then it is neither.
    }
  if (!fits(type, candidate, declared.items))
    throw new EngineError(
      `the configuration ${key} of stack ${stack} must be of type ${type}, as Pulumi.yaml says${isSecret ? "" : `; it is ${json(value)}`}`,
      "invalid",
    );
}

/** Puts a value at a path below a key: `data.list[0]`. Returns the key's new value. */
export function withPath(
  key: string,
  current: RawValue | undefined,
  path: Path,
  value: RawValue | undefined,
): RawValue | undefined {
  const place = formatPath(path);
  const put = (at: RawValue | undefined, i: number): RawValue | undefined => {
    const step = path[i];
    if (step === undefined) return value;
    if (typeof step === "number") {
      if (at !== undefined && at !== null && !Array.isArray(at))
        throw new EngineError(`${key}: there is no list at ${place}`, "invalid");
      const list = [...((at as RawValue[] | null | undefined) ?? [])];
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
    const object = { ...((at as Record<string, RawValue> | null | undefined) ?? {}) };
    const next = put(object[step], i + 1);
    if (next === undefined) delete object[step];
    else object[step] = next;
    return object;
  };
  return put(current, 0);
}

/** Configuration for the history: as it stands in the file. */
export const historyConfig = (values: Map<string, RawValue>): Record<string, unknown> =>
  Object.fromEntries([...values].map(([k, v]) => [k, JSON.parse(sortedJson(v)) as unknown]));
