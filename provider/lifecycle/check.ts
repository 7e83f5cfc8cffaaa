/** Checks arguments and finds changes: pure, without a request, all issues at once, and tolerant of values that are not known yet. */

import type { z } from "zod";
import { fieldOf } from "../../definitions/field";
import { UNKNOWN_VALUE } from "../../sdk/enum-schemas";
import { anyUnknown, parseWith } from "../../sdk/parse-rules";
import { argumentOfPath, memberStep } from "../core/member-path";
import { isUnknown, type Properties, UNKNOWN, unwrap } from "../core/pulumi-values";
import {
  type CheckContext,
  fieldsIn,
  type Issue,
  pickArguments,
  type ResourceDefinition,
} from "../core/resource-definition";
import { plainArguments } from "../resources/account-argument";
import { allowUnknownHint } from "../session/provider-config";
import { isEquivalent } from "../state/drift";
import { unknownArgument } from "./unknown-argument";

/** Members that this package adds to the arguments. */
const internal = new Set(["__esign"]);

/** Everything that is wrong with the arguments. */
export function checkArguments(
  definition: ResourceDefinition,
  olds: Properties,
  news: Properties,
  { allowUnknownValues, edition }: Pick<CheckContext, "allowUnknownValues" | "edition">,
): Issue[] {
  // The values of this package's own enums are all known.
  const isClosed = (field: string) => Object.hasOwn(definition.defaults, field);
  const { issues, values } = checkShape(definition.kind, definition.args.shape, news, allowUnknownValues, isClosed);
  const context = { isSet: (field: string) => news[field] !== undefined, olds, allowUnknownValues, edition };
  const all = [...issues, ...(definition.issues?.(values, context) ?? [])];
  return all.filter(
    ({ field }) =>
      !isUnchanged(definition, field.split(", ").map(argumentOfPath), olds, news) &&
      !isUnreturned(definition, field, olds, news),
  );
}

/** True for what an import by ID does not find: engines check it, before there is a program that could declare it. */
const isUnreturned = (definition: ResourceDefinition, field: string, olds: Properties, news: Properties): boolean =>
  Object.keys(olds).length > 0 && news[field] === undefined && isUnrecorded(definition, field, olds);

/**
 * True for arguments as the last deployment or a refresh has left them. With `ignoreChanges` they hold what was written
 * in the web app, to which no rule applies: nothing of it is sent.
 */
function isUnchanged(definition: ResourceDefinition, fields: string[], olds: Properties, news: Properties): boolean {
  const isSame = (field: string) => JSON.stringify(news[field]) === JSON.stringify(olds[field]);
  const isManaged = (field: string) => definition.managed.includes(field);
  const isMissing = (field: string) => fields.length === 1 && news[field] === undefined;
  return (
    Object.keys(olds).length > 0 && fields.every((field) => isManaged(field) && isSame(field) && !isMissing(field))
  );
}

/** What is wrong by the schemas of arguments, and the arguments that are known and valid. */
export function checkShape(
  kind: string,
  shape: z.ZodRawShape,
  news: Properties,
  allowUnknownValues: boolean,
  /** True for an argument for which no service can have new values. */
  isClosed: (field: string) => boolean = () => false,
): { issues: Issue[]; values: Properties } {
  const issues: Issue[] = [];
  const values: Properties = {};
  for (const [field, schema] of Object.entries(shape)) {
    const value = news[field];
    if (value === UNKNOWN) continue;
    const isOpen = !isClosed(field);
    const rules = allowUnknownValues && isOpen ? anyUnknown : {};
    const result = parseWith(rules, () => (schema as z.ZodType).safeParse(value));
    if (result.success) {
      if (value !== undefined && !isUnknown(value)) values[field] = value;
      continue;
    }
    for (const issue of result.error.issues) {
      const allowed = issue.code === "custom" ? (issue.params?.[UNKNOWN_VALUE] as string[] | undefined) : undefined;
      const invalid = issue.path.reduce((part, name) => (part as Record<PropertyKey, unknown>)[name], value);
      // What is not known yet may be right. The name of a member is known.
      if (isUnknown(invalid) && issue.code !== "invalid_key") continue;
      if (value === undefined) issues.push({ field, message: "is missing" });
      else {
        // Of a member with a wrong name, the rule for names.
        const { message } = issue.code === "invalid_key" ? issue.issues[0]! : issue;
        issues.push({
          field: field + issue.path.map(memberStep).join(""),
          message: message + (isOpen && allowed !== undefined ? ` (${allowUnknownHint})` : ""),
        });
      }
    }
  }
  for (const field of Object.keys(news)) {
    if (!(Object.hasOwn(shape, field) || internal.has(field)))
      issues.push(unknownArgument(kind, field, Object.keys(shape)));
  }
  return { issues, values };
}

/** The arguments that differ between a state and what is declared. */
export function changedArguments(definition: ResourceDefinition, olds: Properties, news: Properties): string[] {
  const withDefaults = (properties: Properties) => ({
    ...definition.defaults,
    ...pickArguments(definition, properties),
  });
  const [before, after]: Properties[] = [withDefaults(olds), withDefaults(news)];
  const fields = fieldsIn(definition, before!, after!);
  return [...new Set([...Object.keys(definition.args.shape), ...fields])].filter((field) => {
    const [a, b] = [before![field], after![field]];
    if (isUnknown(b)) return true;
    if (typeof a === "string" && typeof b === "string") return !isEquivalent(definition, field, a, b);
    return JSON.stringify(a) !== JSON.stringify(b);
  });
}

/**
 * True for an argument of the creating request that no response returns and that the state lacks: the object was imported by its ID. What the
 * program declares is recorded.
 */
export const isUnrecorded = (definition: ResourceDefinition, field: string, state: Properties): boolean =>
  state[field] === undefined && fieldOf(definition, field)?.returned === "never";

/** The arguments without envelopes and empty members; `null` where it removes something. */
export function declaredInputs({ removable }: ResourceDefinition, news: Properties): Properties {
  const removed = removable.filter((field) => news[field] !== undefined && unwrap(news[field]) === null);
  return { ...plainArguments(news), ...Object.fromEntries(removed.map((field) => [field, null])) };
}
