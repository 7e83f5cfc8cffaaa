/** The outputs that a state has as secrets. */
import type { Properties } from "../core/pulumi-values";

/** Names of the outputs that a state, read without its secrets, has as secrets or with a secret in them. */
export const secretOutputs = (resource: { outputs?: Properties } | undefined): string[] =>
  Object.entries(resource?.outputs ?? {}).flatMap(([name, value]) =>
    JSON.stringify(value)?.includes('"[secret]"') ? [name] : [],
  );
