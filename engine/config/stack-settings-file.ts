/**
 * The file of a stack beside the program: its configuration, and the salt of its secrets.
 *
 * Used for: Pulumi.<stack>.yaml.
 */
import { type Document, isMap as isYamlMap, type Node, parseDocument, Scalar, visit } from "yaml";
import { writeDurably } from "../../fs/atomic-write";
import { readText } from "../../fs/optional-files";
import { withoutPrototypeKeys } from "../../fs/prototype-keys";
import { describeYamlProblem } from "../../fs/yaml-problem";
import { EngineError, messageOf } from "../errors";
import { isObject } from "../resource/property-value";
import { type ConfigNode, escapeUnicode, fullKey } from "./file-values";
import { goYamlReviver, goYamlTags } from "./go-yaml";

/** Edits keep comments and the order of keys. */
export class StackSettingsFile {
  readonly #project: string;
  readonly #document: Document;

  private constructor(
    readonly path: string,
    project: string,
    document: Document,
  ) {
    this.#project = project;
    this.#document = document;
  }

  static async read(file: string, project: string): Promise<StackSettingsFile> {
    const text = (await readText(file)) ?? "";
    // Whole numbers as bigint: an account number must not lose its last digits. `<<` merges, as for the CLI.
    const document = parseDocument(text, { intAsBigInt: true, merge: true, customTags: goYamlTags });
    const problem = document.errors[0];
    if (problem) throw new EngineError(`${file}: ${describeYamlProblem(text, problem)}`, "invalid");
    const stack = new StackSettingsFile(file, project, document);
    stack.#rejectNonObjects();
    stack.#rejectUnsupported();
    return stack;
  }

  /** Rejects any other type: it would count as no configuration, and a run would use the environment instead. */
  #rejectNonObjects(): void {
    const refuse = (what: string): never => {
      throw new EngineError(`${this.path}: ${what} must be an object, with the values by their keys`, "invalid");
    };
    if (!isObject(this.#content())) refuse("its content");
    if (!isObject(this.#content().config ?? {})) refuse("config");
  }

  #rejectUnsupported(): void {
    const refuse = (key: string, what: string): never => {
      throw new EngineError(
        `${this.path} has ${JSON.stringify(key)}: ${what}. This is not supported by the built-in engine; use the Pulumi CLI for this stack`,
      );
    };
    const content = this.#content();
    if (content.environment !== undefined) refuse("environment", "configuration from environments of Pulumi ESC");
    const provider = content.secretsprovider;
    if (provider !== undefined && provider !== "" && provider !== "default" && provider !== "passphrase")
      refuse("secretsprovider", `secrets kept with ${String(provider)}`);
    if (content.encryptedkey !== undefined && content.encryptedkey !== "")
      refuse("encryptedkey", "secrets kept with a key of a cloud service");
  }

  #content(): Record<string, unknown> {
    try {
      return withoutPrototypeKeys(
        (this.#document.toJS({ reviver: goYamlReviver }) as Record<string, unknown> | null) ?? {},
      );
    } catch (error) {
      // An alias without an anchor.
      throw new EngineError(`${this.path}: ${messageOf(error)}`, "invalid");
    }
  }

  /** `v1:<salt>:<check>`, or undefined for a stack without secrets. */
  get salt(): string | undefined {
    const salt = this.#content().encryptionsalt;
    return typeof salt === "string" && salt !== "" ? salt : undefined;
  }
  set salt(salt: string) {
    this.#document.set("encryptionsalt", salt);
  }

  /** Values by full key, in the form of the file. */
  values(): Map<string, ConfigNode> {
    const config = this.#content().config as Record<string, ConfigNode> | null | undefined;
    return new Map(Object.entries(config ?? {}).map(([k, v]) => [fullKey(this.#project, k), v]));
  }

  set(key: string, value: ConfigNode): void {
    const old = isYamlMap(this.#document.get("config"))
      ? Object.keys((this.#content().config as object | null) ?? {}).find((k) => fullKey(this.#project, k) === key)
      : undefined;
    if (old === undefined && !isYamlMap(this.#document.get("config")))
      this.#document.set("config", this.#document.createNode({}));
    this.#document.setIn(["config", old ?? key], quoted(this.#document.createNode(value)));
  }

  delete(key: string): boolean {
    const name = Object.keys((this.#content().config as object | null) ?? {}).find(
      (k) => fullKey(this.#project, k) === key,
    );
    return name !== undefined && this.#document.deleteIn(["config", name]);
  }

  async save(): Promise<void> {
    // If the project's file is JSON, the CLI reads only JSON.
    const asJson = this.path.endsWith(".json")
      ? ({
          collectionStyle: "flow",
          defaultStringType: "QUOTE_DOUBLE",
          defaultKeyType: "QUOTE_DOUBLE",
          doubleQuotedAsJSON: true,
          indent: 4,
        } as const)
      : {};
    visit(this.#document, {
      Scalar: (_key, scalar) => {
        // Escape sequences only work in double quotes.
        if (typeof scalar.value === "string" && scalar.value.search(unprintable) >= 0)
          scalar.type = Scalar.QUOTE_DOUBLE;
      },
    });
    await writeDurably(this.path, escapeUnicode(this.#document.toString({ lineWidth: 0, ...asJson }), unprintable));
  }
}

/** Characters that the CLI reads as a line break, or rejects: they are written as escape sequences. */
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * Texts that begin like a number or a date, which are written in quotes: the CLI reads an older version of YAML than this library writes, in
 * which more of them are not texts.
 */
function quoted(node: Node): Node {
  visit(node, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === "string" && /^[\d.+-]/.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return node;
}
