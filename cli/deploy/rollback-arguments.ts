/** Adds to a rolled-back resource what its class would pass to the provider. */
import { dynamicTypeOf, kindNameOf } from "../../definitions/kind";
import type { RollbackOptions } from "../../engine/index";
import { containsSecret, type Value } from "../../engine/resource/property-value";
import { type RegistrationArgument, resourceArg } from "../../provider/core/hidden-argument";

export function rollbackTo(version: number): RollbackOptions {
  let declared = 0;
  return {
    version,
    async prepare({ urn, type, inputs }, dryRun) {
      const kind = kindNameOf(type);
      // The plugin has it from its engine.
      if (kind === undefined || type !== dynamicTypeOf(kind)) return inputs;
      declared++;
      // As the class: until all is declared that does not wait for others.
      await new Promise((resolve) => setImmediate(resolve));
      const secrets = Object.entries(inputs).flatMap(([field, value]) =>
        containsSecret(value as Value) ? [field] : [],
      );
      return {
        ...inputs,
        [resourceArg]: { urn, secrets, declared, isPreview: dryRun } satisfies RegistrationArgument,
      };
    },
  };
}
