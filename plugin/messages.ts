/** Properties in the engine's messages, and which of their values are secret. */
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isSecret, mapValues, type Properties, secret, toJson, unwrap } from "../provider/core/pulumi-values";

/** Levels of nested values. What is deeper is no configuration of an account. */
const maxDepth = 64;

/** Properties of a message, with envelopes around secrets. */
export function propertiesOf(struct: Struct | undefined): Properties {
  const properties = (struct?.toJavaScript() ?? {}) as Properties;
  if (isDeeper(properties, maxDepth)) throw new Error(`a value is nested more than ${maxDepth} levels deep`);
  return properties;
}

export const structOf = (properties: Properties): Struct => Struct.fromJavaScript(toJson(properties) as never);

function isDeeper(value: unknown, depth: number): boolean {
  if (value === null || typeof value !== "object") return false;
  return depth === 0 || Object.values(value).some((member) => isDeeper(member, depth - 1));
}

/** Names of the properties that are secret, or that have a secret member. */
export const secretNames = (properties: Properties): string[] =>
  Object.keys(properties).filter((name) => hasSecret(properties[name]));

function hasSecret(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  return isSecret(value) || Object.values(value).some(hasSecret);
}

/** The texts that are secret, or in something secret. */
export function secretTexts(value: unknown, isInSecret = false): string[] {
  if (typeof value === "string") return isInSecret ? [value] : [];
  if (value === null || typeof value !== "object") return [];
  if (isSecret(value)) return secretTexts(unwrap(value), true);
  return Object.values(value).flatMap((member) => secretTexts(member, isInSecret));
}

/** Properties with an envelope around each value that is secret in one of the sources. */
export const withSecretsOf = (properties: Properties, ...sources: Properties[]): Properties =>
  sources.reduce((marked, source) => markMembers(marked, source), properties);

function markMembers(properties: Properties, source: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, mark(value, source[name])]));
}

function mark(value: unknown, source: unknown): unknown {
  if (value === undefined || value === null || isSecret(value)) return value;
  if (isSecret(source)) return secret(unwrap(value));
  if (!hasSecret(source)) return value;
  // A list may have other items, or another order.
  if (Array.isArray(value) || Array.isArray(source)) return secret(unwrap(value));
  if (typeof value !== "object" || typeof source !== "object") return secret(value);
  return markMembers(value as Properties, source as Properties);
}

/** The settings of a message: each is a text, as in a stack's configuration. */
export function settingsOf(properties: Properties): Record<string, string> {
  const { version: _, pluginDownloadURL: __, __internal: ___, ...settings } = unwrap(properties) as Properties;
  const texts = mapValues(settings, (value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined && value !== "null"));
}
