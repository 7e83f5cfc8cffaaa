/** The names of an endpoint's fields as command-line options. */
import type { z } from "zod";
import type { Endpoint } from "../../../sdk/api/endpoint";

export const kebab = (name: string): string =>
  name.replaceAll("_", "-").replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
const camel = (name: string): string => name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase());

/** Names of other options of the same commands. */
const reserved = new Set(["json", "yes", "local", "stack", "company", "offset", "limit", "page"]);

export interface Field {
  /** As the API calls it: `webhook_url`. */
  name: string;
  /** As the option or argument is called, without the name of the resource: `url`. */
  short: string;
  schema: z.ZodType;
}

/** `webhook_url` is `url` in `esign webhooks`. */
export function shortName(field: string, group: string): string {
  const singular = group.replace(/ies$/, "y").replace(/s$/, "");
  const prefix = group === "branding" ? "branding_(email_)?" : `${singular}_`;
  const short = field.replace(new RegExp(`^${prefix}`), "");
  return kebab(reserved.has(short) ? field : short);
}

const fieldsOf = (shape: Record<string, z.ZodType>, group: string): Field[] =>
  Object.entries(shape).map(([name, schema]) => ({ name, schema, short: shortName(name, group) }));

export const paramsOf = (endpoint: Endpoint, group: string): Field[] =>
  fieldsOf(endpoint.params.shape as Record<string, z.ZodType>, group);

export const formOf = (endpoint: Endpoint, group: string): Field[] =>
  fieldsOf((endpoint.form as z.ZodObject).shape ?? {}, group);

/** What selects the items of a list. */
export const filtersOf = (endpoint: Endpoint, group: string): Field[] =>
  fieldsOf((endpoint.list?.filters?.shape ?? {}) as Record<string, z.ZodType>, group);

/** Where commander keeps the value of an option. */
export const attributes = ({ name, short }: Field): string[] => [camel(short.replaceAll("-", "_")), camel(name)];
