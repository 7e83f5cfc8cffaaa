/**
 * `esign <resource> <verb>`: every endpoint as a command. Names, arguments, options and rules are derived from sdk's endpoint
 * values; nothing here knows a single endpoint.
 */
import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import type { z } from "zod";
import type { Endpoint } from "../../../sdk/api/endpoint";
import { api } from "../../../sdk/api/index";
import { knownValuesOf } from "../../../sdk/enum-schemas";
import { UsageError } from "../../output/errors";
import { withAccountOptions } from "../../references/connect";
import { type ApiOptions, callEndpoint, isDestructive, returnsKey } from "./call";
import { fieldDescriptions } from "./describe-fields";
import { attributes, type Field, filtersOf, formOf, kebab, paramsOf } from "./option-names";

export function addApi(program: Command, summaries: Record<string, string>): void {
  for (const [group, operations] of Object.entries(api)) {
    const command = program
      .command(kebab(group))
      .description(`${summaries[kebab(group)] ?? ""}.`)
      .addHelpText("after", examplesOf(kebab(group), operations as Record<string, Endpoint>));
    for (const [operation, endpoint] of Object.entries(operations as Record<string, Endpoint>)) {
      addOperation(command, group, operation, endpoint);
    }
  }
}

function examplesOf(group: string, operations: Record<string, Endpoint>): string {
  const first = Object.keys(operations).includes("list") ? "list" : Object.keys(operations)[0];
  return `
Values: @file reads a file, @- reads stdin, @@ is a literal @.

Examples:
  $ esign ${group} ${first}
  $ esign ${group} ${first} --json
  $ esign ${group} ${first} --company "Harbour Lettings"`;
}

function addOperation(parent: Command, group: string, operation: string, endpoint: Endpoint): void {
  const command = parent.command(kebab(operation)).description(endpoint.summary).summary(endpoint.summary);
  const descriptions = fieldDescriptions(kebab(group), operation);
  const params = paramsOf(endpoint, group);
  const form = [...formOf(endpoint, group), ...filtersOf(endpoint, group)];
  for (const { name, short, schema } of params) command.argument(`<${short}>`, withChoices(descriptions(name), schema));
  for (const { name, short, schema } of form) {
    const value = acceptsTrue(schema) ? "[true|false]" : "<value>";
    const suffix = schema.safeParse(undefined).success ? "" : " (required)";
    command.option(`--${short} ${value}`, withChoices(descriptions(name), schema) + suffix);
    // The API's own name, for scripts that were written after its documentation.
    if (kebab(name) !== short) command.addOption(new Option(`--${kebab(name)} ${value}`).hideHelp());
  }
  if (endpoint.otherFields !== undefined) {
    command.option("--set <name=value...>", "others, by the API's names: a number, true or false, else a text");
  }
  if (endpoint.list !== undefined) {
    command
      .option("--offset <n>", "position of the first record, counted from 1")
      .option("--limit <n>", "records per page")
      .option("--page", "one page as the API returns it, instead of all records");
  }
  if (isDestructive(operation, endpoint)) command.option("-y, --yes", "do not ask");
  if (returnsKey(endpoint)) command.option("--key-file <path>", "write the new key or secret to this file");
  command.option("-j, --json", "as JSON").option("--show-secrets", "show API keys and secrets");
  withAccountOptions(command.optionsGroup("Account:"))
    .addHelpText("after", `\n${endpoint.method} ${endpoint.path}${endpoint.partner ? " (needs a partner key)" : ""}`)
    .action(async (...args: unknown[]) => {
      const values = args.slice(0, params.length) as string[];
      const options = args[params.length] as ApiOptions & Record<string, unknown>;
      // Files, or stdin, are read after it: --set may be mistyped.
      const others = otherInput(options.set as string[] | undefined);
      const input = {
        ...Object.fromEntries(params.map(({ name }, i) => [name, values[i]])),
        ...formInput(form, options),
        ...others,
      };
      await callEndpoint({ group, operation, endpoint, fields: [...params, ...form], input, options });
    });
}

/** The values of options, files read. */
function formInput(form: readonly Field[], options: Record<string, unknown>): Record<string, unknown> {
  const fields = form.flatMap((field) => {
    const value = attributes(field)
      .map((attribute) => options[attribute])
      .find((each) => each !== undefined);
    return value === undefined ? [] : [{ ...field, value }];
  });
  const fromStdin = fields.filter(({ value }) => value === "@-").map(({ short }) => `--${short}`);
  if (fromStdin.length > 1) throw new UsageError(`only one option can read stdin, not ${fromStdin.join(" and ")}`);
  return Object.fromEntries(
    fields.map(({ name, short, schema, value }) => {
      const isNull = value === "null" && schema.safeParse(null).success;
      return [name, isNull ? null : value === true ? true : fromFile(value as string, short)];
    }),
  );
}

/** Values of fields that this version does not know. */
function otherInput(assignments: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(
    assignments.map((assignment) => {
      const [, name, text] = /^(\w+)=(.*)$/s.exec(assignment) ?? [];
      if (name === undefined || text === undefined) throw new UsageError("--set needs <name>=<value>");
      return [name, /^(true|false|-?\d{1,15}(\.\d+)?)$/.test(text) ? JSON.parse(text) : text];
    }),
  );
}

const acceptsTrue = (schema: z.ZodType): boolean => schema.safeParse(true).success && !schema.safeParse({}).success;

/** The description, and the values that the API lists. */
function withChoices(description: string, schema: z.ZodType): string {
  const values = knownValuesOf(schema);
  return values === undefined ? description : `${description} One of: ${values.join(", ")}`.trim();
}

/** Bodies of emails and JSON members are files more often than words on a command line. */
function fromFile(value: string, option: string): string {
  if (!value.startsWith("@")) return value;
  if (value.startsWith("@@")) return value.slice(1);
  const file = value === "@-" ? "stdin" : value.slice(1);
  let bytes: Buffer;
  try {
    bytes = readFileSync(value === "@-" ? 0 : file);
  } catch (error) {
    throw new UsageError(
      `--${option}: cannot read ${file} (${(error as NodeJS.ErrnoException).code}); write @@ for a literal @`,
    );
  }
  try {
    // A byte order mark belongs to the file, not to the text.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`--${option}: ${file} is not UTF-8; save it as UTF-8`);
  }
}
