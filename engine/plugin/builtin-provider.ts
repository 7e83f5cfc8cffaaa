/**
 * The provider "pulumi", which is part of the engine: it reads the outputs of other stacks for a StackReference.
 *
 * Used for: resources of type pulumi:pulumi:StackReference.
 */
import { EngineError } from "../errors";
import { containsSecret, type ValueMap } from "../resource/property-value";
import type { Provider } from "../resource/provider-interface";

const no = (): never => {
  throw new EngineError("the provider pulumi has StackReference only, which reads the outputs of a stack");
};

/** @param outputsOf the outputs of a stack of this project, by name */
export function builtinProvider(project: string, outputsOf: (stack: string) => Promise<ValueMap>): Provider {
  const stackOf = (name: string): string => {
    const parts = name.split("/");
    const stack = parts.at(-1) as string;
    const other =
      parts.length === 3
        ? parts[1] !== project || parts[0] !== "organization"
        : parts.length === 2 && parts[0] !== project && parts[0] !== "organization";
    if (other || parts.length > 3)
      throw new EngineError(
        `the built-in engine reads stacks of the same project only; ${JSON.stringify(name)} is not one of ${project}. Use the Pulumi CLI for references to other projects`,
      );
    return stack;
  };
  return {
    isConfigured: true,
    check: async (_urn, _olds, news) => ({ inputs: news, failures: [] }),
    diff: async () => ({ changes: "none", replaces: [], deleteBeforeReplace: false }),
    create: no,
    update: no,
    invoke: no,
    construct: no,
    delete: async () => undefined,
    async read(_urn, id, inputs) {
      const name = inputs.name;
      if (typeof name !== "string") throw new EngineError("a StackReference needs the name of a stack");
      const outputs = await outputsOf(stackOf(name));
      const secretOutputNames = Object.keys(outputs)
        .filter((k) => containsSecret(outputs[k]))
        .sort();
      return { id, inputs, outputs: { name, outputs, secretOutputNames } };
    },
  };
}
