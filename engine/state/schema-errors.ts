/**
 * Checks the types of a state's fields. Nothing else does so for a file that was edited by hand, and a field of another type
 * would be treated as absent, or break the run in the middle.
 *
 * Used for: the checkpoint file, versions 3 and 4.
 */

import { isObject } from "../resource/property-value";
import { type FieldType, RESOURCE_FIELDS } from "../resource/resource-fields";
import { isUrn } from "../resource/urn";

const names: Record<FieldType, string> = {
  text: "a text",
  flag: "true or false",
  list: "a list",
  texts: "a list of texts",
  object: "an object",
  lists: "an object with lists of texts",
};

const isTexts = (v: unknown): boolean => Array.isArray(v) && v.every((text) => typeof text === "string");

const tests: Record<FieldType, (v: unknown) => boolean> = {
  text: (v) => typeof v === "string",
  flag: (v) => typeof v === "boolean",
  list: Array.isArray,
  texts: isTexts,
  object: isObject,
  lists: (v) => isObject(v) && Object.values(v).every((list) => list === null || isTexts(list)),
};

const ofDeployments: Record<string, FieldType> = {
  manifest: "object",
  secrets_providers: "object",
  resources: "list",
  pending_operations: "list",
};

const ofResources = Object.fromEntries(RESOURCE_FIELDS.flatMap(({ name, type }) => (type ? [[name, type]] : [])));

/** Fields that are not of their type; absent ones are not checked. */
function fieldErrors(object: Record<string, unknown>, fieldTypes: Record<string, FieldType>, of: string): string[] {
  return Object.entries(fieldTypes).flatMap(([name, type]) =>
    object[name] === undefined || object[name] === null || tests[type](object[name])
      ? []
      : [`${name}${of} is not ${names[type]}`],
  );
}

function resourceErrors(r: unknown, place: string): string[] {
  if (!isObject(r)) return [`${place} is not an object`];
  const isNamed = typeof r.urn === "string" && isUrn(r.urn);
  const name = isNamed ? String(r.urn) : place;
  return [
    ...(isNamed ? [] : [`${place} has no URN`]),
    ...(r.type ? [] : [`${name} has no type`]),
    ...fieldErrors(r, ofResources, ` of ${name}`),
  ];
}

/** The fields of a deployment that are not of their type. */
export function schemaErrors(latest: unknown): string[] {
  if (!isObject(latest)) return ["what is in it is not an object"];
  const problems = fieldErrors(latest, ofDeployments, "");
  if (problems.length > 0) return problems;
  const { resources, pending_operations: pending } = latest as Record<string, unknown[] | null | undefined>;
  return [
    ...(resources ?? []).flatMap((r, i) => resourceErrors(r, `resource ${i}`)),
    ...(pending ?? []).flatMap((p, i) =>
      isObject(p)
        ? resourceErrors(p.resource, `the resource of pending operation ${i}`)
        : [`pending operation ${i} is not an object`],
    ),
  ];
}
