/** How a schema's type is written in a table. */
import type { z } from "zod";
import { knownValuesOf } from "../../sdk/enum-schemas";
import { code } from "./markdown";

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

export const isRequired = (schema: z.ZodType): boolean => !accepts(schema, undefined);

/** The values of an enum, also of a list of them. */
export function valuesOf(schema: z.ZodType): readonly string[] | undefined {
  const inner = schema as unknown as { unwrap?: () => z.ZodType; element?: z.ZodType };
  return (
    knownValuesOf(schema) ??
    (inner.unwrap || inner.element ? valuesOf((inner.element ?? inner.unwrap?.())!) : undefined)
  );
}

interface Definition {
  type: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
}

const definitionOf = (schema: z.ZodType): Definition => (schema as unknown as { def: Definition }).def;

export function typeOf(schema: z.ZodType): string {
  const def = definitionOf(schema);
  if (def.type === "pipe") {
    const from = definitionOf(def.in!).type;
    // A structured member: see `jsonText` in `sdk/api/scalars.ts`.
    if (from === "transform") return `${typeOf(def.out!)}, or its JSON text`;
    if (from === "custom") return "any JSON value, or its JSON text";
  }
  if (def.innerType) return typeOf(def.innerType) + (def.type === "nullable" ? " or null" : "");
  if (def.type === "array") {
    const item = typeOf(def.element!);
    return `list of ${item}${item === "object" ? "s" : ""}`;
  }
  if (def.type === "record" || def.type === "object") return "object";
  if (accepts(schema, true)) return "boolean";
  if (def.type === "string" || def.type === "enum") return "string";
  if (accepts(schema, 13) && accepts(schema, "13")) return "number or string";
  if (accepts(schema, 13)) return "number";
  return "string";
}

/** A sentence, and the values that it does not mention. */
export function withValues(note: string, schema: z.ZodType): string {
  const values = valuesOf(schema);
  if (values === undefined || values.every((value) => note.includes(code(value)))) return note;
  return `${note} One of ${values.map(code).join(", ")}.`.trim();
}
