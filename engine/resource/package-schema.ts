/**
 * What the schema of a package declares of its resources and functions: which inputs and outputs there are, and which are secret.
 *
 * Used for: Pulumi's package schema, as far as programs need it that have no SDK.
 */

export interface PropertySchema {
  type?: string;
  secret?: boolean;
  const?: unknown;
  oneOf?: PropertySchema[];
  $ref?: string;
  /** The members of an object. */
  properties?: Record<string, PropertySchema>;
  additionalProperties?: PropertySchema;
  items?: PropertySchema;
}

export interface ResourceSchema {
  isComponent?: boolean;
  inputProperties?: Record<string, PropertySchema>;
  requiredInputs?: string[];
  /** The outputs. */
  properties?: Record<string, PropertySchema>;
  aliases?: { type?: string }[];
}

export interface FunctionSchema {
  inputs?: { properties?: Record<string, PropertySchema>; required?: string[] };
  outputs?: PropertySchema;
}

export interface PackageSchema {
  name: string;
  version?: string;
  provider?: ResourceSchema;
  resources?: Record<string, ResourceSchema>;
  functions?: Record<string, FunctionSchema>;
  /** What a `$ref` names: `#/types/<package>:<module>:<Name>`. */
  types?: Record<string, PropertySchema>;
}

/** The full name for what a program writes: `package:Name` is `package:index:Name`, in any case. */
export function fullToken(written: string, tokens: readonly string[]): string | undefined {
  const parts = written.split(":");
  const full = parts.length === 2 ? `${parts[0]}:index:${parts[1]}` : written;
  return tokens.find((token) => token === full) ?? tokens.find((token) => token.toLowerCase() === full.toLowerCase());
}
