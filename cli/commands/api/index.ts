/**
 * `esign <area> <verb>`: every endpoint as a command. Names, arguments, options and rules are derived from sdk's endpoint
 * values; nothing here knows a single endpoint.
 */
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { z } from "zod";
import { type Endpoint, replyBase } from "../../../sdk/api/endpoint";
import { api } from "../../../sdk/api/index";
import { UNKNOWN_VALUE } from "../../../sdk/api/scalars";
import type { Client, Listing } from "../../../sdk/index";
import { outgoing, operation as toOperation } from "../../../sdk/request/validate-input";
import { UsageError } from "../../output/exit-codes";
import { record, table } from "../../output/table";
import { colours, note, print, write } from "../../output/terminal";
import { confirmOrExit } from "../../project/session";
import { type ConnectionOptions, openConnection, withAccountOptions } from "../../targets/connect";
import { fieldDescriptions } from "./describe-fields";

interface ApiOptions extends ConnectionOptions {
  json?: boolean;
  yes?: boolean;
  showSecrets?: boolean;
  offset?: string;
  limit?: string;
  page?: boolean;
}

const kebab = (name: string): string => name.replaceAll("_", "-").replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
const camel = (name: string): string => name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase());

/** What ends or removes something in the account is asked about first. */
const isDestructive = (operation: string, endpoint: Endpoint): boolean =>
  endpoint.method === "DELETE" || operation === "cancel" || operation === "expire";

const isSecret = (field: string): boolean => field.endsWith("api_key");

export function addApi(program: Command, summaries: Record<string, string>): void {
  for (const [area, operations] of Object.entries(api)) {
    const command = program
      .command(area)
      .description(`${summaries[area] ?? ""}.`)
      .addHelpText("after", examplesOf(area, operations as Record<string, Endpoint>));
    for (const [operation, endpoint] of Object.entries(operations as Record<string, Endpoint>)) {
      addOperation(command, area, operation, endpoint);
    }
  }
}

function examplesOf(area: string, operations: Record<string, Endpoint>): string {
  const first = Object.keys(operations).includes("list") ? "list" : Object.keys(operations)[0];
  return `
A value that begins with @ is read from that file, @- from the standard input; @@ is a plain @.

Examples:
  $ esign ${area} ${first}
  $ esign ${area} ${first} --json
  $ esign ${area} ${first} --account "Harbour Lettings"`;
}

const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> => (schema as z.ZodObject).shape ?? {};

function addOperation(parent: Command, area: string, operation: string, endpoint: Endpoint): void {
  const command = parent.command(kebab(operation)).description(endpoint.summary).summary(endpoint.summary);
  const notes = fieldDescriptions(area, operation);
  const params = Object.keys(endpoint.params.shape);
  for (const name of params)
    command.argument(`<${kebab(name)}>`, withChoices(notes(name), endpoint.params.shape[name] as z.ZodType));
  const form = shapeOf(endpoint.form);
  for (const [name, schema] of Object.entries(form)) {
    const value = acceptsTrue(schema) ? "[true|false]" : "<value>";
    const needed = schema.safeParse(undefined).success ? "" : " (required)";
    command.option(`--${kebab(name)} ${value}`, withChoices(notes(name), schema) + needed);
  }
  if (endpoint.list !== undefined) {
    command
      .option("--offset <n>", "position of the first record, counted from 1")
      .option("--limit <n>", "records per page")
      .option("--page", "one page as the service answers it, instead of all records");
  }
  if (isDestructive(operation, endpoint)) command.option("-y, --yes", "do it without asking");
  withAccountOptions(command)
    .option("-j, --json", "as JSON")
    .option("--show-secrets", "show keys in clear")
    .addHelpText(
      "after",
      `\n${endpoint.method} ${endpoint.path}, §${endpoint.section} of the specification${endpoint.partner ? "; needs a partner's key" : ""}`,
    )
    .action(async (...given: unknown[]) => {
      const values = given.slice(0, params.length) as string[];
      const options = given[params.length] as ApiOptions & Record<string, string | true | undefined>;
      const input: Record<string, unknown> = Object.fromEntries(params.map((name, i) => [name, values[i]]));
      const fromInput = Object.keys(form).filter((name) => options[camel(name)] === "@-");
      if (fromInput.length > 1)
        throw new UsageError(
          `the standard input can be read for one option only, not for ${fromInput.map((name) => `--${kebab(name)}`).join(" and ")}`,
        );
      for (const name of Object.keys(form)) {
        const value = options[camel(name)];
        if (value !== undefined) input[name] = value === true ? true : fromFile(value, kebab(name));
      }
      await call(area, operation, endpoint, input, options);
    });
}

const acceptsTrue = (schema: z.ZodType): boolean => schema.safeParse(true).success && !schema.safeParse({}).success;

/** The sentence, and the values that the specification lists. */
function withChoices(sentence: string, schema: z.ZodType): string {
  const refused = schema.safeParse("\u0000").error?.issues[0] as
    | { params?: Record<string, readonly string[]> }
    | undefined;
  const values = refused?.params?.[UNKNOWN_VALUE];
  return values === undefined ? sentence : `${sentence} One of: ${values.join(", ")}`.trim();
}

/** Bodies of e-mails and JSON members are files more often than words on a command line. */
function fromFile(value: string, option: string): string {
  if (!value.startsWith("@")) return value;
  if (value.startsWith("@@")) return value.slice(1);
  const file = value === "@-" ? "the standard input" : value.slice(1);
  let bytes: Buffer;
  try {
    bytes = readFileSync(value === "@-" ? 0 : file);
  } catch (error) {
    throw new UsageError(
      `--${option}: cannot read ${file} (${(error as NodeJS.ErrnoException).code}); a plain @ is written @@`,
    );
  }
  try {
    // A byte order mark is of the file, not of the text.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`--${option}: ${file} is not UTF-8; save it as UTF-8`);
  }
}

async function call(
  area: string,
  operation: string,
  endpoint: Endpoint,
  input: Record<string, unknown>,
  options: ApiOptions,
): Promise<void> {
  const page = { ...number("offset", options.offset), ...number("limit", options.limit) };
  const op = toOperation(`${area}.${operation}`, endpoint);
  const connection = await openConnection({
    ...options,
    writes: endpoint.method !== "GET",
    check: (allowUnknownValues) => outgoing(op, { ...input, ...page }, allowUnknownValues),
  });
  try {
    if (isDestructive(operation, endpoint)) {
      const what = [area, kebab(operation), ...Object.values(input)].join(" ");
      await confirmOrExit(`${what} in ${connection.client.baseUrl} (${connection.source})?`, options.yes);
    }
    const methods = connection.client[area as keyof Client] as unknown as Record<
      string,
      (...args: unknown[]) => unknown
    >;
    const method = methods[operation] as (...args: unknown[]) => unknown;
    const mask = (value: unknown) => (options.showSecrets ? value : masked(value));
    if (endpoint.list === undefined) {
      const reply = mask(await method(input)) as Record<string, unknown>;
      if (options.json) print(JSON.stringify(reply, undefined, 2));
      else showReply(reply, endpoint);
      return;
    }
    const listing = method(page) as Listing<Record<string, unknown>, Record<string, unknown>>;
    if (options.page) {
      const reply = mask(await listing.page()) as Record<string, unknown>;
      print(JSON.stringify(reply, undefined, 2));
    } else if (options.json) await streamJson(listing, mask);
    else await showList(listing, endpoint.list.items, mask);
  } finally {
    await connection.close();
  }
}

function number(name: string, text: string | undefined): Record<string, number> {
  if (text === undefined) return {};
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`--${name} must be a positive whole number`);
  return { [name]: Number(text) };
}

/** Keys are not for screens and logs. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecret(name) && item ? "[secret]" : masked(item)]),
  );
}

/** An array that is written while it is read: thousands of records need no memory. */
async function streamJson(items: AsyncIterable<unknown>, mask: (value: unknown) => unknown): Promise<void> {
  let first = true;
  for await (const item of items) {
    write(`${first ? "[\n" : ",\n"}  ${JSON.stringify(mask(item))}`);
    first = false;
  }
  print(first ? "[]" : "\n]");
}

const text = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** `webhook_type` is TYPE in a list of webhooks. */
const heading = (field: string, items: string): string => {
  const singular = items.replace(/ies$/, "y").replace(/s$/, "");
  return field
    .replace(new RegExp(`^${singular}_`), "")
    .replaceAll("_", " ")
    .toUpperCase();
};

async function showList(
  items: AsyncIterable<Record<string, unknown>>,
  name: string,
  mask: (value: unknown) => unknown,
): Promise<void> {
  const rows: Record<string, unknown>[] = [];
  for await (const item of items) rows.push(mask(item) as Record<string, unknown>);
  if (rows.length === 0) note(`There are no ${name}.`);
  else print(asTable(rows, name));
}

function asTable(rows: Record<string, unknown>[], name: string): string {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return table(
    fields.map((field) => heading(field, name)),
    rows.map((row) => fields.map((field) => text(row[field]))),
  );
}

/** A reply as lines; what the service says of a write comes first. */
function showReply(reply: Record<string, unknown>, { method, reply: schema }: Endpoint): void {
  const { http: _, message, href: __, ...rest } = reply;
  if (method === "GET") {
    const asked = Object.keys(schema.shape).filter((name) => !(name in replyBase.shape));
    for (const name of asked) if ((rest[name] ?? "") === "") rest[name] = "none";
  }
  if (typeof message === "string" && message !== "") note(colours.green(message));
  const isRows = (value: unknown): value is Record<string, unknown>[] =>
    Array.isArray(value) && value.length > 0 && value.every((item) => item !== null && typeof item === "object");
  const plain = Object.entries(rest).filter(([, value]) => !isRows(value));
  if (plain.length > 0) print(record(plain.map(([name, value]) => [name, text(value)])));
  for (const [name, value] of Object.entries(rest)) {
    if (isRows(value)) print(`${plain.length > 0 ? "\n" : ""}${colours.bold(name)}\n${asTable(value, name)}`);
  }
}
