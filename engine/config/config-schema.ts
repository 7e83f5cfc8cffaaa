/**
 * The project's declaration of its configuration: keys with types and defaults, validated as the Pulumi CLI does it.
 *
 * Used for: `config` of Pulumi.yaml.
 */

import { isObject } from "../resource/property-value";
import { type ConfigNode, fullKey, plainText } from "./file-values";

const types = ["string", "integer", "boolean", "array", "object"] as const;

/** A type, and for arrays the type of their items. */
interface Type {
  type: (typeof types)[number];
  items?: Type;
}

/** The declaration of a key in Pulumi.yaml. */
export interface ProjectConfigType extends Partial<Type> {
  default?: ConfigNode;
  value?: ConfigNode;
  secret?: boolean;
  description?: string;
}

const members = ["type", "items", "default", "value", "secret", "description"];

/** The declarations of a project, by full key. */
export function parseConfigSchema(
  project: string,
  config: unknown,
  invalid: (what: string) => never,
): Map<string, ProjectConfigType> {
  const declarations = new Map<string, ProjectConfigType>();
  if (!isObject(config)) return declarations;
  for (const [key, v] of Object.entries(config as Record<string, ConfigNode>)) {
    const full = fullKey(project, key);
    const isOwn = full.startsWith(`${project}:`);
    // A plain value is the default of a key of the project, and the value of a key in another namespace.
    if (!isObject(v)) declarations.set(full, isOwn ? { default: v } : { value: v });
    else {
      const fault = schemaError(v, isOwn);
      if (fault !== undefined) invalid(`config.${key} ${fault}`);
      declarations.set(full, v as ProjectConfigType);
    }
  }
  return declarations;
}

function schemaError(declared: Record<string, ConfigNode>, isOwn: boolean): string | undefined {
  const strange = Object.keys(declared).find((k) => !members.includes(k));
  if (strange !== undefined) return `has ${JSON.stringify(strange)}; allowed are ${members.join(", ")}`;
  const { type, items, default: preset, value } = declared;
  const has = (v: ConfigNode | undefined) => v !== undefined && v !== null;
  if (has(preset) && has(value)) return 'has a "default" and a "value": it can have one of them';
  if (!isOwn) {
    // A key of another namespace can only have a value here.
    if (has(type)) return 'has a "type", which only keys of the project can have';
    if (has(preset)) return 'has a "default", which only keys of the project can have; give it a "value"';
    return has(value) ? undefined : 'has no "value", which a key of another namespace needs';
  }
  const fault = has(type) ? typeError({ type, items } as Record<string, ConfigNode>) : undefined;
  if (fault !== undefined) return fault;
  if (has(type) && has(preset) && !matchesType(declared as unknown as Type, preset as ConfigNode, false))
    return `has a default that is not of its type, ${formatType(declared as unknown as Type)}`;
  return undefined;
}

function typeError({ type, items }: Record<string, ConfigNode>, where = ""): string | undefined {
  if (!types.some((each) => each === type))
    return `has ${where}the type ${JSON.stringify(type ?? null)}; allowed are ${types.join(", ")}`;
  if (type === "array" && !isObject(items))
    return `has ${where}the type "array" without "items": say of what type those are, such as items: {type: string}`;
  return isObject(items) ? typeError(items as Record<string, ConfigNode>, "items with ") : undefined;
}

/** `array<string>` */
export const formatType = ({ type, items }: Partial<Type>): string =>
  type === "array" && items !== undefined ? `array<${formatType(items)}>` : String(type);

/** Whether a value is of a type. Values that a command sets are texts, in JSON for lists and objects. */
export function matchesType({ type, items }: Partial<Type>, v: ConfigNode, mayBeText = true): boolean {
  const parsed = (): ConfigNode => (mayBeText && typeof v === "string" ? parsedJson(v) : v);
  switch (type) {
    case "string":
      return typeof v === "string" || (mayBeText && isSingle(v));
    case "integer":
      return isSingle(v) && /^[+-]?\d+$/.test(plainText(v));
    case "boolean":
      return isSingle(v) && /^(true|false)$/.test(plainText(v));
    case "array": {
      const list = parsed();
      return Array.isArray(list) && (items === undefined || list.every((item) => matchesType(items, item, mayBeText)));
    }
    case "object":
      return isObject(parsed());
    default:
      return true;
  }
}

/** Neither a list nor an object: as a text, a list of one number looks like the number. */
const isSingle = (v: ConfigNode): boolean => v === null || typeof v !== "object";

function parsedJson(text: string): ConfigNode {
  try {
    return JSON.parse(text) as ConfigNode;
  } catch {
    return text;
  }
}
