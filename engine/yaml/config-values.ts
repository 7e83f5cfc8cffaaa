/**
 * The configuration as values of a program: of the types that it declares, or as they look.
 *
 * Serves: `config` of Pulumi YAML.
 */
import type { ProjectConfigType } from "../config/config-schema";
import type { ConfigEntry, ConfigMap } from "../config/resolve";
import { secret, type Value } from "../resource/property-value";
import type { Problems } from "./problems";
import type { ConfigDeclaration } from "./template";
import { type Evaluated, evaluated } from "./values";

export interface ConfigSource {
  project: string;
  config: ConfigMap;
  /** What the project's file declares, by full key. */
  declared: ReadonlyMap<string, ProjectConfigType>;
}

/** By the names that a program uses: with the namespace, and without it for that of the project. */
export function configValues(
  { project, config, declared }: ConfigSource,
  declarations: readonly ConfigDeclaration[],
  problems: Problems,
): Map<string, Evaluated> {
  const values = new Map<string, Evaluated>();
  const own = `${project}:`;
  for (const [key, entry] of config) {
    const value = evaluatedEntry(entry, typeOf(declared.get(key)));
    values.set(key, value);
    if (key.startsWith(own)) values.set(key.slice(own.length), value);
  }
  for (const { node, name, key, type, secret: isSecret } of declarations) {
    const entry = config.get(key.includes(":") ? key : own + key);
    if (entry === undefined) continue;
    if (entry.secret && isSecret === false)
      problems.add(node, `config.${name} says secret: false, and its value is encrypted: remove "secret: false"`);
    const full = key.includes(":") ? key : own + key;
    values.set(
      name,
      evaluatedEntry({ ...entry, secret: entry.secret || isSecret === true }, type ?? typeOf(declared.get(full))),
    );
  }
  return values;
}

/** The type that is declared, or that of the default. */
function typeOf({ type, default: preset }: ProjectConfigType = {}): string | undefined {
  if (type !== undefined) return type;
  if (typeof preset === "bigint") return "number";
  return typeof preset === "string" || typeof preset === "boolean" || typeof preset === "number"
    ? typeof preset
    : undefined;
}

function evaluatedEntry({ text, structured, secret: isSecret }: ConfigEntry, type: string | undefined): Evaluated {
  const value = plainValue(text, structured, type);
  return { ...evaluated(isSecret ? secret(value) : value), isInteger: type === "integer" };
}

function plainValue(text: string, structured: boolean, type: string | undefined): Value {
  if (structured || type === "array" || type === "object") return JSON.parse(text) as Value;
  if (type === "string") return text;
  if (text === "true" || text === "false") return text === "true";
  // Of what says no type, a number is what is written as a whole one.
  if (type === "integer" || type === "number" || /^-?(0|[1-9]\d*)$/.test(text)) return Number(text);
  return text;
}
