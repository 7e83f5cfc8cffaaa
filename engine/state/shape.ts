/**
 * What each part of a state is: a text, a list, an object. Nothing else checks that of a file that was edited by hand, and
 * a part that is something else would be taken for absent, or break the run in the middle.
 *
 * Serves: the checkpoint file, versions 3 and 4.
 */

import { isObject } from "../resource/property-value";
import { isUrn } from "../resource/urn";

type Shape = "text" | "flag" | "list" | "texts" | "object" | "lists";

const words: Record<Shape, string> = {
  text: "a text",
  flag: "true or false",
  list: "a list",
  texts: "a list of texts",
  object: "an object",
  lists: "an object with lists of texts",
};

const isTexts = (v: unknown): boolean => Array.isArray(v) && v.every((text) => typeof text === "string");

const tests: Record<Shape, (v: unknown) => boolean> = {
  text: (v) => typeof v === "string",
  flag: (v) => typeof v === "boolean",
  list: Array.isArray,
  texts: isTexts,
  object: isObject,
  lists: (v) => isObject(v) && Object.values(v).every((list) => list === null || isTexts(list)),
};

/** Fields that this engine goes by; others are kept as they are. */
const ofResources: Record<string, Shape> = {
  urn: "text",
  custom: "flag",
  delete: "flag",
  id: "text",
  type: "text",
  inputs: "object",
  outputs: "object",
  parent: "text",
  protect: "flag",
  taint: "flag",
  external: "flag",
  dependencies: "texts",
  initErrors: "texts",
  provider: "text",
  propertyDependencies: "lists",
  pendingReplacement: "flag",
  additionalSecretOutputs: "texts",
  customTimeouts: "object",
  retainOnDelete: "flag",
  deletedWith: "text",
  replaceWith: "texts",
  sourcePosition: "text",
  stackTrace: "list",
  ignoreChanges: "texts",
  replaceOnChanges: "texts",
};

const ofDeployments: Record<string, Shape> = {
  manifest: "object",
  secrets_providers: "object",
  resources: "list",
  pending_operations: "list",
};

/** The parts that are something else than they must be; absent ones are none of those. */
function fieldErrors(parts: Record<string, unknown>, shapes: Record<string, Shape>, of: string): string[] {
  return Object.entries(shapes).flatMap(([name, shape]) =>
    parts[name] === undefined || parts[name] === null || tests[shape](parts[name])
      ? []
      : [`${name}${of} is not ${words[shape]}`],
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

/** What of a deployment is not what it must be, in words; empty when nothing is. */
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
