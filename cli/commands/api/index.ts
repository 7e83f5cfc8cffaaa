/**
 * `esign <resource> <verb>`: every endpoint as a command. Names, arguments, options and rules are derived from sdk's endpoint
 * values; nothing here knows a single endpoint.
 */
import { type Command, Option } from "commander";
import type { z } from "zod";
import type { Endpoint } from "../../../sdk/api/endpoint";
import { api } from "../../../sdk/api/index";
import { knownValuesOf } from "../../../sdk/enum-schemas";
import { UsageError } from "../../output/errors";
import { withAccountOptions } from "../../references/connect";
import { type ApiOptions, callEndpoint, isDestructive, returnsKey } from "./call";
import { fieldDescriptions } from "./describe-fields";
import { fromFile, STDIN } from "./file-values";
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
      const stdin = stdinOption(form, options);
      const input = {
        ...Object.fromEntries(params.map(({ name }, i) => [name, values[i]])),
        ...formInput(form, options),
        ...otherInput(options.set as string[] | undefined),
      };
      await callEndpoint({ group, operation, endpoint, fields: [...params, ...form], input, stdin, options });
    });
}

/** The values of options, files read; of one that is in stdin, `@-`. */
function formInput(form: readonly Field[], options: Record<string, unknown>): Record<string, unknown> {
  const fields = form.flatMap((field) => {
    const value = attributes(field)
      .map((attribute) => options[attribute])
      .find((each) => each !== undefined);
    return value === undefined ? [] : [{ ...field, value }];
  });
  return Object.fromEntries(
    fields.map(({ name, short, schema, value }) => {
      const isNull = value === "null" && schema.safeParse(null).success;
      return [name, isNull ? null : value === true || value === STDIN ? value : fromFile(value as string, short)];
    }),
  );
}

/** The option whose value stdin has. */
function stdinOption(form: readonly Field[], options: Record<string, unknown>): Field | undefined {
  const fields = form.filter((field) => attributes(field).some((attribute) => options[attribute] === STDIN));
  if (fields.length <= 1) return fields[0];
  throw new UsageError(`only one option can read stdin, not ${fields.map(({ short }) => `--${short}`).join(" and ")}`);
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
