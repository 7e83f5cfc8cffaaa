/** Mocks of resources for `pulumi.runtime.setMocks`: unit tests of a program or component. Functions, such as `getCompanies`, are not mocked. */
import type * as pulumi from "@pulumi/pulumi";
import { definitionOfType } from "../provider/resources/index";

type ResourceResult = ReturnType<pulumi.runtime.Mocks["newResource"]>;

/**
 * Every resource gets the outputs that its class has: an ID made of its name, and secrets such as a Company's
 * `apiKey-of-<name>`.
 * @param outputs - outputs of single resources, by name, besides or instead
 */
export function esignMocks(outputs: Record<string, Record<string, unknown>> = {}): pulumi.runtime.Mocks {
  return {
    newResource({ type, name, inputs }): ResourceResult {
      const definition = definitionOfType(type);
      const id = `${name}-id`;
      const own = definition?.keyOutput === undefined ? {} : { [definition.keyOutput]: id };
      return { id, state: { ...inputs, ...own, ...secretsOf(definition?.secrets ?? [], name), ...outputs[name] } };
    },
    call: () => ({}),
  };
}

const secretsOf = (names: readonly string[], resource: string) =>
  Object.fromEntries(names.map((name) => [name, `${name}-of-${resource}`]));
