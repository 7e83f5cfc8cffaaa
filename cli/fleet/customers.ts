/** Customers as records: of a CSV, YAML or JSON file, or of a module, whose records may come from a database. */

import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { plural } from "../../definitions/text/display";
import { isStackName, longestName } from "../../engine/config/stack-names";
import { PROTOTYPE_KEY, prototypeKeyProblem, withoutPrototypeKeys } from "../../fs/prototype-keys";
import { parseStrictly } from "../../fs/strict-yaml";
import { yamlProblem } from "../../fs/yaml-problem";
import { configNames } from "../../provider/session/provider-config";
import { UsageError } from "../output/errors";
import { readNamedFile } from "../references/named-file";

/** A customer: what its program needs to know, by names. */
export interface Customer {
  /** Unique among the customers, and part of the stack's name. */
  id: string;
  /** The stack that several customers share, by their own choice: then the program gets a list of them. */
  stack?: string;
  /** Its stack remains unchanged. */
  suspended: boolean;
  /** Names of the record's columns, also of those without a value. */
  columns: readonly string[];
  values: Record<string, unknown>;
}

type Records = Iterable<unknown> | AsyncIterable<unknown>;

/** Reads the customers of a file, in their order. @throws {UsageError} naming the file, and the record where there is one */
export async function readCustomers(file: string): Promise<Customer[]> {
  const customers: Customer[] = [];
  const seen = new Map<string, number>();
  for await (const record of recordsOf(file, () => customers.length)) {
    const number = customers.length + 1;
    const customer = toCustomer(record, `${file}, record ${number}`);
    // File systems that do not tell Acme from acme would have one configuration for both.
    const key = customer.id.toLowerCase();
    const first = seen.get(key);
    if (first !== undefined) {
      const before = customers[first - 1]!.id;
      const same =
        before === customer.id
          ? `the same id, ${before}`
          : `ids that differ in case only, ${before} and ${customer.id}`;
      throw new UsageError(`${file}: records ${first} and ${number} have ${same}`);
    }
    seen.set(key, number);
    customers.push(customer);
  }
  if (customers.length === 0) throw new UsageError(`${file} has no customers`);
  return customers;
}

/** @param count how many were read: a database may fail in the middle */
async function* recordsOf(file: string, count: () => number): AsyncGenerator<unknown> {
  try {
    yield* await readRecords(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} failed after ${plural(count(), "record")}: ${message}`);
  }
}

async function readRecords(file: string): Promise<Records> {
  const ending = extname(file).toLowerCase();
  if (/^\.[cm]?[jt]s$/.test(ending)) return recordsOfModule(file);
  const read = { ".csv": csv, ".yaml": yaml, ".yml": yaml, ".json": json }[ending];
  if (read === undefined)
    throw new UsageError(`${file}: customers are in a .csv, .yaml or .json file, or in a module (.js, .mjs, .ts)`);
  const records = await read(textOf(readNamedFile(file), file)).catch((error) => {
    if (error instanceof UsageError || error.message === prototypeKeyProblem)
      throw new UsageError(`${file}: ${error.message}`);
    // Parsers quote what they do not understand, which may be a secret.
    throw new UsageError(`${file} is not valid ${ending.slice(1).toUpperCase()}${placeIn(error)}`);
  });
  if (!Array.isArray(records)) throw new UsageError(`${file} must hold a list of customers`);
  return records;
}

/** Spreadsheets write other encodings, too: names would be others, or none be found. */
function textOf(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${file} is not UTF-8: save it as ${file.endsWith(".csv") ? '"CSV UTF-8"' : "UTF-8"}`);
  }
}

/** Of the parser's codes; the others say nothing that a person could use. */
const csvProblems: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "a quote is not closed",
  CSV_INVALID_CLOSING_QUOTE: "something follows a closing quote",
  INVALID_OPENING_QUOTE: "a quote is inside a cell; put the whole cell in quotes, and double the quotes in it",
  CSV_RECORD_INCONSISTENT_COLUMNS: "it has more or fewer cells than the first line; put a cell with a comma in quotes",
};

function placeIn(error: { code?: string; lines?: unknown; linePos?: { line: number }[] }): string {
  const line = error.linePos?.[0]?.line ?? error.lines;
  const problem = yamlProblem(error.code) ?? csvProblems[error.code ?? ""];
  return `${typeof line === "number" ? `, line ${line}` : ""}${problem ? `: ${problem}` : ""}`;
}

async function csv(text: string): Promise<unknown> {
  const { parse } = await import("csv-parse/sync");
  const columns = (header: string[]): string[] => {
    const twice = header.find((name, i) => header.indexOf(name) !== i);
    if (header.includes(PROTOTYPE_KEY)) throw new Error(prototypeKeyProblem);
    if (twice !== undefined) throw new UsageError(`two columns are called ${JSON.stringify(twice)}`);
    rejectOtherHeader(header);
    return header;
  };
  return parse(text, { columns, bom: true, trim: true, skip_empty_lines: true });
}

/** Without a header, the first customer would be taken for it. What it has may be secret. */
function rejectOtherHeader(header: readonly string[]): void {
  if (header.includes("id")) return;
  const [only = "", ...others] = header;
  const separator = others.length === 0 ? /[;\t|]/.exec(only)?.[0] : undefined;
  if (separator !== undefined)
    throw new UsageError(
      `columns must be separated by commas, and the first line has ${separator === "\t" ? "tabs" : `"${separator}"`}`,
    );
  const near = header.find((name) => /^["']?id["']?$/i.test(name));
  throw new UsageError(
    near === undefined
      ? "its first line has no column id: it must name the columns, such as id,name,values.colour"
      : `its column ${near} must be called id, in lower case`,
  );
}

async function yaml(text: string): Promise<unknown> {
  return withoutPrototypeKeys(parseStrictly(text));
}

const json = async (text: string): Promise<unknown> => withoutPrototypeKeys(JSON.parse(text));

/** The default export of a module, or what it returns. */
async function recordsOfModule(file: string): Promise<Records> {
  let exported: unknown;
  try {
    ({ default: exported } = (await import(pathToFileURL(resolve(file)).href)) as { default: unknown });
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const hint =
      code === "ERR_UNKNOWN_FILE_EXTENSION" ? " (this version of Node cannot load it: compile it first)" : "";
    throw new UsageError(`cannot load ${file}: ${message}${hint}`);
  }
  const records = typeof exported === "function" ? await exported() : await exported;
  const isIterable = (value: unknown): value is Records =>
    typeof value === "object" && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);
  if (!isIterable(records))
    throw new UsageError(
      `${file} must export by default an (async) iterable of customers, or a function that returns one`,
    );
  return records;
}

/** An empty cell is no value. */
const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

export function toCustomer(record: unknown, where: string): Customer {
  if (typeof record !== "object" || record === null || Array.isArray(record))
    throw new UsageError(`${where} is not a customer: names with values are expected`);
  const { id, stack, suspended, ...values } = record as Record<string, unknown>;
  if (!hasValue(id)) throw new UsageError(`${where} has no id`);
  const name = (value: unknown, field: string): string => {
    const text = String(value);
    if (typeof value === "object" || !isStackName(text))
      throw new UsageError(
        `${where}: ${field} becomes a part of a stack's name: letters, digits, hyphens, underscores and dots, at most ${longestName}`,
      );
    return text;
  };
  return {
    id: name(id, "id"),
    ...(hasValue(stack) && { stack: name(stack, "stack") }),
    suspended: toBoolean(suspended, where),
    columns: Object.keys(record),
    values: nest(values, where),
  };
}

function toBoolean(value: unknown, where: string): boolean {
  if (!hasValue(value)) return false;
  if (/^(true|false)$/i.test(String(value))) return /^true$/i.test(String(value));
  throw new UsageError(`${where}: suspended must be true or false`);
}

/** What becomes a key of configuration must be one: else it would be in the configurations of all stacks before a program rejects it. */
function rejectColumn(column: string, where: string): void {
  if (/\s/.test(column) || column === "")
    throw new UsageError(
      `${where}: ${JSON.stringify(column)} is not a name for configuration: it is empty or has a space`,
    );
  const [, setting] = /^esign:(.*)$/.exec(column) ?? [];
  if (setting !== undefined && !(configNames as string[]).includes(setting))
    throw new UsageError(`${where}: ${column} is not a setting (settings: ${configNames.join(", ")})`);
}

/** A column `values.colour` is the member `colour` of `values`. */
function nest(columns: Record<string, unknown>, where: string): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(columns)) {
    rejectColumn(column, where);
    if (!hasValue(value)) continue;
    const [name = "", member, ...rest] = column.split(".");
    if (member === undefined) {
      result[column] = value;
      continue;
    }
    const object = Object.hasOwn(result, name) ? result[name] : {};
    if (name === "" || member === "" || name === "__proto__" || rest.length > 0 || typeof object !== "object")
      throw new UsageError(`${where}: ${column} must be a name, or the name of an object and of one of its members`);
    result[name] = { ...object, [member]: value };
  }
  return result;
}
