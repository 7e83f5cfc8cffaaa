/** One of the two files of a folder that have settings, `account.yaml` and `company.yaml`, with the locations of its settings. */
import { isMap, isScalar, type Node, type Pair, visit, type YAMLMap, type Range as YamlRange } from "yaml";
import { z } from "zod";
import { didYouMean } from "../../sdk/text/did-you-mean";
import type { Finding } from "../finding";
import { type PlaceholderIssue, type PlaceholderText, parsePlaceholders } from "../placeholders/placeholder-text";
import type { SourceFile, SourceLocation } from "../placeholders/source-map";
import { parseYaml } from "./parse-yaml";
import { type AccountContent, accountSchema, type CompanyContent, companySchema, writtenNull } from "./settings-schema";
import { findYamlErrors } from "./yaml-errors";

export class AccountFile<T> {
  /** By key, of the mappings that were searched. */
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

  readonly #root: Node | null;
  readonly #schema: z.ZodType<T>;
  readonly #placeholderIssues: PlaceholderIssue[];

  private constructor(
    readonly source: SourceFile,
    root: Node | null,
    /** Undefined when the file is invalid. */
    readonly content: T | undefined,
    schema: z.ZodType<T>,
    placeholderIssues: PlaceholderIssue[],
  ) {
    this.#root = root;
    this.#schema = schema;
    this.#placeholderIssues = placeholderIssues;
  }

  static account(source: SourceFile, findings: Finding[], issues: PlaceholderIssue[]): AccountFile<AccountContent> {
    return AccountFile.#read<AccountContent>(source, accountSchema, findings, issues);
  }

  static company(source: SourceFile, findings: Finding[], issues: PlaceholderIssue[]): AccountFile<CompanyContent> {
    return AccountFile.#read(source, companySchema, findings, issues);
  }

  static #read<T>(
    source: SourceFile,
    schema: z.ZodType<T>,
    findings: Finding[],
    placeholderIssues: PlaceholderIssue[],
  ): AccountFile<T> {
    const document = parseYaml(source.text);
    const errors = findYamlErrors(document, source.text);
    for (const { message, pos } of errors) {
      findings.push({
        ...source.place(pos[0], pos[1]),
        rule: "settings",
        severity: "error",
        message: `invalid YAML: ${message}`,
        fix: 'correct the YAML; a text that begins with # or contains ": " needs quotes',
      });
    }
    // As numbers, a postcode would lose its first 0, a telephone number its +, and 1.10 would become 1.1.
    visit(document, {
      Scalar: (_, scalar) => {
        if (typeof scalar.value === "number") scalar.value = scalar.source;
        if (scalar.value === null && scalar.source) scalar.value = writtenNull;
      },
    });
    const root = document.contents as Node | null;
    if (errors.length > 0) return new AccountFile<T>(source, root, undefined, schema, placeholderIssues);
    const result = schema.safeParse(document.toJS() ?? {});
    const file = new AccountFile<T>(source, root, result.success ? result.data : undefined, schema, placeholderIssues);
    for (const issue of result.error?.issues ?? []) findings.push(...file.#explain(issue));
    return file;
  }

  *#explain(issue: z.core.$ZodIssue): Iterable<Finding> {
    const path = issue.path.map(String);
    const name = path.join(".");
    const common = { rule: "settings", severity: "error" } as const;
    if (issue.code === "unrecognized_keys") {
      const names = knownKeys(this.#schema, path);
      for (const key of issue.keys) {
        yield {
          ...this.keyPlace([...path, key]),
          ...common,
          message: `unknown setting "${[...path, key].join(".")}"${didYouMean(key, names)}`,
          fix: `settings: ${names.join(", ")}`,
        };
      }
    } else if (this.#nodeAt(path) === null) {
      // An unquoted colour is the usual reason: what follows # is a comment.
      const place = this.keyPlace(path);
      const line = this.source.text.split("\n")[place.line - 1] ?? "";
      yield {
        ...place,
        ...common,
        message: `"${name}" has no value`,
        fix: line.includes("#")
          ? 'set a value; in YAML, # begins a comment, so a colour needs quotes: "#1A5FB4"'
          : "set a value, or remove the line",
      };
    } else if (this.#nodeAt(path) === undefined) {
      yield { ...this.keyPlace(path), ...common, message: `"${name}" is missing`, fix: `add ${path.at(-1)}` };
    } else {
      yield {
        ...this.place(path),
        ...common,
        message:
          name === ""
            ? "must contain settings by name"
            : `"${name}" ${isMapping(issue) ? "must be settings by name" : messageOf(issue)}`,
        fix: "see docs/reference/account-folder.md",
      };
    }
  }

  /** The placeholder text of a setting. */
  placeholderText(path: readonly string[], text: string): PlaceholderText {
    const node = this.#nodeAt(path);
    const [start, end] = rangeOf(node) ?? [0, 0];
    const written = this.source.text.slice(start, end);
    // Plain and quoted scalars without escapes are copies of what is written; in others, every place is that of the scalar.
    const shift = written === text ? 0 : written.slice(1, -1) === text ? 1 : undefined;
    const offsetOf = shift === undefined ? () => start : (offset: number) => start + shift + offset;
    return parsePlaceholders(this.source, () => undefined, this.#placeholderIssues, text, offsetOf);
  }

  /** The location of a setting's value; of its nearest parent if it is missing. */
  place(path: readonly string[]): SourceLocation {
    const range = rangeOf(this.#nodeAt(path));
    if (range) return this.source.place(range[0], range[1]);
    return this.keyPlace(path);
  }

  /** The location of a setting's name. */
  keyPlace(path: readonly string[]): SourceLocation {
    const parent = this.#nodeAt(path.slice(0, -1));
    const pair = isMap(parent) ? this.#pairsOf(parent).get(path.at(-1)!) : undefined;
    const range = rangeOf(pair?.key as Node | undefined);
    if (range) return this.source.place(range[0], range[1]);
    if (path.length > 1) return this.keyPlace(path.slice(0, -1));
    return this.source.place(0);
  }

  #pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
    const pairs = this.#pairs.get(map) ?? new Map(map.items.map((pair) => [keyOf(pair.key), pair]));
    this.#pairs.set(map, pairs);
    return pairs;
  }

  /** Undefined for a missing setting, null for one without a value. */
  #nodeAt(path: readonly string[]): Node | null | undefined {
    let node: unknown = this.#root;
    for (const name of path) {
      if (isMap(node)) {
        const pair = this.#pairsOf(node).get(name);
        if (!pair) return undefined;
        node = pair.value;
      } else if (node && typeof node === "object" && "items" in node && Array.isArray(node.items)) {
        node = node.items[Number(name)];
      } else return undefined;
    }
    if (node === null || node === undefined) return null;
    if (isScalar(node) && (node.value === null || node.value === writtenNull)) return null;
    return node as Node;
  }
}

/** The names that a schema allows below a path. */
function knownKeys(schema: unknown, path: readonly string[]): string[] {
  if (schema instanceof z.ZodOptional) return knownKeys(schema.unwrap(), path);
  if (schema instanceof z.ZodRecord) return path.length === 0 ? [] : knownKeys(schema.valueType, path.slice(1));
  if (!(schema instanceof z.ZodObject)) return [];
  return path.length === 0 ? Object.keys(schema.shape) : knownKeys(schema.shape[path[0]!], path.slice(1));
}

const keyOf = (key: unknown) => (isScalar(key) ? String(key.value) : String(key));
/** Of a name that is not valid, the rule. */
const messageOf = (issue: z.core.$ZodIssue) =>
  (issue.code === "invalid_key" ? issue.issues[0]?.message : undefined) ?? issue.message;
const isMapping = (issue: z.core.$ZodIssue) =>
  issue.code === "invalid_type" && ["record", "object"].includes(issue.expected);
function rangeOf(node: Node | null | undefined): [number, number] | undefined {
  const range = (node as { range?: YamlRange | null } | null | undefined)?.range;
  return range ? [range[0], range[1]] : undefined;
}
