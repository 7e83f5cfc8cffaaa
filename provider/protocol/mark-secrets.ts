/** Finds the secrets in the values that an engine passes, and marks the same values as secret in the response. */
import { isSecret, type Properties, secret, unwrap } from "../core/pulumi-values";

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
