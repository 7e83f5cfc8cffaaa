/** The client: its options, and each method with its endpoint, fields and response. */
import type { z } from "zod";
import { fieldDescriptions } from "../../cli/commands/api/describe-fields";
import { filtersOf, formOf, kebab, paramsOf } from "../../cli/commands/api/option-names";
import type { Endpoint } from "../../sdk/api/endpoint";
import { api } from "../../sdk/api/index";
import { code, list, table } from "./markdown";
import { isRequired, typeOf, withValues } from "./schemas";
import { membersOfInterface } from "./sources";

/** `(30000)` at the end of a sentence is the default. */
export function clientOptions(name: "ConnectOptions" | "CallOptions" | "PageOptions"): string {
  const rows = membersOfInterface(["sdk/options.ts"], name).map(({ name, isOptional, note }) => {
    const [, text = note, standard = "", rest = ""] = /^(.*?) \(([^()]*(?:\([^)]*\))?[^()]*)\)\.(.*)$/.exec(note) ?? [];
    return [code(isOptional ? `${name}?` : name), standard ? `${text}.${rest}` : note, standard];
  });
  return table(["option", "meaning", "default"], rows);
}

/** Every method of the client. */
export function methods(): string {
  return Object.entries(api)
    .map(([group, operations]) =>
      [
        `## ${group}`,
        ...Object.entries(operations as Record<string, Endpoint>).map(([name, endpoint]) =>
          method(group, name, endpoint),
        ),
      ].join("\n\n"),
    )
    .join("\n\n");
}

function method(group: string, operation: string, endpoint: Endpoint): string {
  const noteOf = fieldDescriptions(kebab(group), operation);
  const fields = [...paramsOf(endpoint, group), ...formOf(endpoint, group), ...filtersOf(endpoint, group)];
  const rows = fields.map(({ name, schema }) => [
    code(isRequired(schema) ? name : `${name}?`),
    typeOf(schema),
    withValues(noteOf(name), schema),
  ]);
  const { items } = endpoint.list ?? {};
  const shape = items === undefined ? endpoint.response.shape : itemShape(endpoint, items);
  const own = Object.keys(shape).filter((name) => !["http", "message", "href", "test"].includes(name));
  const response = items === undefined ? "Returns" : `A [list](../client.md#lists); each item has`;
  return [
    `### client.${group}.${operation}`,
    [
      endpoint.summary,
      code(`${endpoint.method} ${endpoint.path}`) + (endpoint.partner ? ", with a partner key." : "."),
      endpoint.optional ? "Not in every account's interface." : "",
    ]
      .filter(Boolean)
      .join(" "),
    ...(rows.length > 0 ? [table(["field", "type", "meaning"], rows)] : []),
    ...(own.length > 0 ? [`${response} ${list(own)}.`] : []),
  ].join("\n\n");
}

/** The shape of a list's items. */
function itemShape(endpoint: Endpoint, items: string): Record<string, z.ZodType> {
  let schema = endpoint.response.shape[items] as unknown as {
    element?: z.ZodObject;
    unwrap?: () => unknown;
    def?: { innerType?: unknown };
  };
  while (schema.element === undefined) schema = (schema.def?.innerType ?? schema.unwrap?.()) as typeof schema;
  return schema.element.shape as Record<string, z.ZodType>;
}
