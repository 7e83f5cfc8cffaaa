/** Whether an object of the account is the declared one: by what identifies it, unless its resource has a rule of its own. */
import { fieldFromApi, isSameValue } from "../../definitions/field";
import type { Match } from "../core/object-access";
import type { Properties } from "../core/pulumi-values";
import type { ResourceDefinition } from "../core/resource-definition";

/** Of an object that existed before. */
export function matchObject(definition: ResourceDefinition, item: object, args: Properties): Match {
  const { collection, naturalKey } = definition;
  return collection!.match?.(item, args) ?? (hasValues(definition, item, args, naturalKey) ? "same" : "different");
}

/** Of one that appeared after a lost response: by all that was sent and that every service returns. */
export function isCreated(definition: ResourceDefinition, item: object, args: Properties): boolean {
  const { collection, fields } = definition;
  const sent = collection!.createFields.filter((name) => fields[name]!.returned === undefined);
  return collection!.matchNew?.(item, args) ?? hasValues(definition, item, args, sent);
}

const hasValues = (definition: ResourceDefinition, item: object, args: Properties, names: readonly string[]): boolean =>
  names.every((name) => {
    const value = fieldFromApi(definition, name, item);
    return value !== undefined && isSameValue(definition, name, value, args[name] as string);
  });
