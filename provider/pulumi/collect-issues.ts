/**
 * Collects the problems of all resources of a program. The engine ends a run at the first resource that `check` rejects, so that one
 * reports the problems of the others, too.
 */
import * as pulumi from "@pulumi/pulumi";
import { findNewValues } from "../../sdk/enum-schemas";
import { type Properties, UNKNOWN } from "../core/pulumi-values";
import type { ResourceDefinition } from "../core/resource-definition";
import { checkArguments } from "../lifecycle/check";
import { allowsUnknownValues, configuredEdition } from "../session/provider-config";

/** The messages about invalid resources by their names, by run of a program. */
const runs = new WeakMap<object, Map<string, string[]>>();

/**
 * For a resource whose plain arguments are invalid, the messages about the other ones; resolved when the program has declared
 * what it declares at once. Undefined for a valid resource.
 */
export function collectIssues(
  definition: ResourceDefinition,
  name: string,
  args: Properties,
): Promise<string[]> | undefined {
  const configuration = { get: pulumi.runtime.getConfig };
  const allowUnknownValues = allowsUnknownValues(configuration);
  const plain = plainArguments(definition, args);
  const issues = checkArguments(definition, {}, plain, {
    allowUnknownValues,
    edition: configuredEdition(configuration) ?? "specification",
  });
  if (!allowUnknownValues) warnOfNewValues(definition, name, plain);
  if (issues.length === 0) return undefined;
  const run = pulumi.runtime.getStackResource() ?? runs;
  const invalid = runs.get(run) ?? new Map<string, string[]>();
  runs.set(run, invalid);
  const resource = `${definition.kind} "${name}"`;
  invalid.set(
    resource,
    issues.map(({ field, message }) => `${resource}: ${field} ${message}`),
  );
  return new Promise((resolve) => {
    setImmediate(() => resolve([...invalid].flatMap(([other, messages]) => (other === resource ? [] : messages))));
  });
}

/** The service may know it by now, and refuses it otherwise. */
function warnOfNewValues({ kind, args }: ResourceDefinition, name: string, values: Properties): void {
  for (const { field, message } of findNewValues(args.shape, values)) {
    void pulumi.log.warn(`${kind} "${name}": ${field} ${message}; esign:allowUnknownValues ends this warning.`);
  }
}

/** Arguments whose values come later may be valid. */
const plainArguments = ({ removable }: ResourceDefinition, args: Properties): Properties =>
  Object.fromEntries(
    Object.entries(args)
      .filter(([field, value]) => value !== undefined && (value !== null || removable.includes(field)))
      .map(([field, value]) => [field, isPlain(value) ? value : UNKNOWN]),
  );

const isPlain = (value: unknown) => value === null || (typeof value !== "object" && typeof value !== "function");
