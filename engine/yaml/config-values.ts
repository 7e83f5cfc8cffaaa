/**
 * Configuration values as a YAML program gets them. Each has the type that its text looks like, whatever the program declares.
 *
 * Used for: `config` of Pulumi YAML.
 */
import type { ConfigMap } from "../config/resolve-config";
import { secret, type Value } from "../resource/property-value";
import { type Evaluated, evaluated } from "./evaluated-values";
import type { Problems } from "./problems";
import type { ConfigDeclaration } from "./template";

export interface ConfigSource {
  project: string;
  config: ConfigMap;
}

/** By the names that a program uses: with the namespace, and without it for that of the project. */
export function configValues(
  { project, config }: ConfigSource,
  declarations: readonly ConfigDeclaration[],
  problems: Problems,
): Map<string, Evaluated> {
  const values = new Map<string, Evaluated>();
  const own = `${project}:`;
  for (const [key, entry] of config) {
    const value = valueOfText(entry.text);
    const whole = evaluated(entry.secret ? secret(value) : value);
    values.set(key, whole);
    if (key.startsWith(own)) values.set(key.slice(own.length), whole);
  }
  for (const { node, name, key, secret: isSecret, default: preset } of declarations) {
    const full = key.includes(":") ? key : own + key;
    const entry = config.get(full);
    if (entry === undefined) {
      // What the project's own `config` declares has its value, or was rejected: this is in another file, or under another name.
      if (preset === undefined || preset === null)
        problems.add(node, `config.${name} has no value: config set ${key} <value>`);
      else values.set(name, evaluated(isSecret === true ? secret(preset) : preset));
      continue;
    }
    const value = values.get(full)!;
    values.set(name, isSecret === true ? { ...value, value: secret(value.value) } : value);
  }
  return values;
}

const wholeNumber = /^[+-]?\d+$/;
const number = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const truths: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(["t", "T", "TRUE", "true", "True"].map((word) => [word, true])),
  ...Object.fromEntries(["f", "F", "FALSE", "false", "False"].map((word) => [word, false])),
};

function valueOfText(text: string): Value {
  // A postal code is a text, and 0.5 a number.
  if (text.length > 1 && text.startsWith("0") && !text.startsWith("0.")) return text;
  if (Object.hasOwn(truths, text)) return truths[text]!;
  if (wholeNumber.test(text) || number.test(text)) {
    const value = Number(text) + 0;
    // One that is too large for a number is a text.
    return Number.isFinite(value) ? value : text;
  }
  try {
    return JSON.parse(text) as Value;
  } catch {
    return text;
  }
}
