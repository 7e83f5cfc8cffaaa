/** Parses the members of a response by the endpoint's schema, however the service writes that there is nothing. */
import type { z } from "zod";

/** What services in PHP and the like write where they have no value. */
const nothing: ReadonlySet<unknown> = new Set([null, "", false]);

/**
 * Parses a body. Where the schema does not accept a member that says that there is nothing, it counts as missing: if a member must not be
 * missing, the issues are those of the body as it came.
 */
export function parseMembers(schema: z.ZodObject, body: Record<string, unknown>) {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed;
  const rest = structuredClone(body);
  for (const { path } of parsed.error.issues) omitNothing(rest, path);
  const again = schema.safeParse(rest);
  return again.success ? again : parsed;
}

function omitNothing(body: Record<string, unknown>, path: readonly PropertyKey[]): void {
  const name = path.at(-1)!;
  const parent = path.slice(0, -1).reduce<unknown>((value, part) => Object(value)[part], body);
  // An item of a list cannot be missing: others would take its place.
  if (Array.isArray(parent) || !nothing.has(Object(parent)[name])) return;
  delete (parent as Record<PropertyKey, unknown>)[name];
}
