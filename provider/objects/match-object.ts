/** Whether objects of the account are the declared one: by what identifies it, unless its resource has a rule of its own. */
import { fieldFromApi, normalizeField } from "../../definitions/field";
import type { Match } from "../core/object-access";
import type { Properties } from "../core/pulumi-values";
import type { ResourceDefinition } from "../core/resource-definition";

/** Of those that existed before. */
export function matcherOf(definition: ResourceDefinition, args: Properties): (item: object) => Match {
  const { collection, naturalKey } = definition;
  const isSame = hasValues(definition, args, naturalKey);
  return (item) => collection!.match?.(item, args) ?? (isSame(item) ? "same" : "different");
}

/** Of those that appeared after a lost response: by all that was sent and that every service returns. */
export function newMatcherOf(definition: ResourceDefinition, args: Properties): (item: object) => boolean {
  const { collection, fields } = definition;
  const sent = collection!.createFields.filter((name) => fields[name]!.returned === undefined);
  const isSame = hasValues(definition, args, sent);
  return (item) => collection!.matchNew?.(item, args) ?? isSame(item);
}

/** The declared values are normalized once: each create is compared with thousands of objects. */
function hasValues(
  definition: ResourceDefinition,
  args: Properties,
  names: readonly string[],
): (item: object) => boolean {
  const checks = names.map((name) => {
    const declared = args[name] as string;
    let normal: string | undefined;
    return (item: object) => {
      const value = fieldFromApi(definition, name, item);
      if (value === undefined || value === declared) return value !== undefined;
      normal ??= normalizeField(definition, name, declared);
      return normalizeField(definition, name, value) === normal;
    };
  });
  return (item) => checks.every((isSame) => isSame(item));
}
