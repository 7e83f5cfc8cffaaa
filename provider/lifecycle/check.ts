/** Checks and plans: pure, offline, fast, all faults at once, and without stumbling over values that are not known yet. */
import type { z } from "zod";
import { UNKNOWN_VALUE } from "../../sdk/api/scalars";
import { didYouMean } from "../../sdk/text/did-you-mean";
import { isUnknown, type Properties } from "../core/pulumi-values";
import { type Definition, type Issue, pickArguments } from "../core/resource-definition";
import { allowUnknownHint } from "../session/settings";
import { isEquivalent } from "../state/drift";

/** Members that the SDK and we add to the arguments. */
const ours = new Set(["__provider", "__esign"]);

/** Everything that is wrong with the arguments. */
export function checkArguments(
  definition: Definition,
  olds: Properties,
  news: Properties,
  allowUnknownValues: boolean,
): Issue[] {
  // The words of what we have made up ourselves are all known.
  const isClosed = (field: string) => field in definition.defaults;
  const { issues, known } = checkShape(definition.kind, definition.args.shape, news, allowUnknownValues, isClosed);
  const context = { isSet: (field: string) => news[field] !== undefined, olds, allowUnknownValues };
  const found = [...issues, ...(definition.issues?.(known, context) ?? [])];
  return found.filter(({ field }) => !isAsItWas(definition, field.split(", "), olds, news));
}

/**
 * True for arguments that the last deployment or a refresh has left so. With `ignoreChanges` they are what somebody has written in
 * the service's pages, which no rule of ours has a say in: nothing of it is sent.
 */
function isAsItWas(definition: Definition, fields: string[], olds: Properties, news: Properties): boolean {
  const isSame = (field: string) => JSON.stringify(news[field]) === JSON.stringify(olds[field]);
  const isManaged = (field: string) => (definition.fields as readonly string[]).includes(field);
  const isNeeded = (field: string) => fields.length === 1 && news[field] === undefined;
  return Object.keys(olds).length > 0 && fields.every((field) => isManaged(field) && isSame(field) && !isNeeded(field));
}

/** What the schemas of arguments find wrong, and the arguments that are known and right. */
export function checkShape(
  kind: string,
  shape: z.ZodRawShape,
  news: Properties,
  allowUnknownValues: boolean,
  /** True for an argument that no service can have new values for. */
  isClosed: (field: string) => boolean = () => false,
): { issues: Issue[]; known: Properties } {
  const issues: Issue[] = [];
  const known: Properties = {};
  for (const [field, schema] of Object.entries(shape)) {
    const value = news[field];
    if (isUnknown(value)) continue;
    const result = (schema as z.ZodType).safeParse(value);
    if (result.success) {
      if (value !== undefined) known[field] = value;
      continue;
    }
    for (const issue of result.error.issues) {
      const values = issue.code === "custom" ? (issue.params?.[UNKNOWN_VALUE] as string[] | undefined) : undefined;
      const wrong = issue.path.reduce((part, name) => (part as Record<PropertyKey, unknown>)[name], value);
      const isOpen = values !== undefined && !isClosed(field);
      if (isOpen && allowUnknownValues) known[field] = value;
      else if (value === undefined) issues.push({ field, message: "is missing" });
      else
        issues.push({
          field,
          message: issue.message + (isOpen ? ` (${allowUnknownHint})` : "") + nearMatch(wrong, values),
        });
    }
  }
  for (const field of Object.keys(news)) {
    if (!(field in shape || ours.has(field))) issues.push(unknownArgument(kind, field, Object.keys(shape)));
  }
  return { issues, known };
}

/** The fault of an argument that has a name of none. */
export function unknownArgument(kind: string, field: string, names: readonly string[]): Issue {
  const message = `is no argument of ${kind}${didYouMean(field, names)} (arguments: ${names.join(", ")})`;
  return { field, message };
}

/** The arguments that differ between a state and what is declared. */
export function changedArguments(definition: Definition, olds: Properties, news: Properties): string[] {
  const withDefaults = (properties: Properties) => ({
    ...definition.defaults,
    ...pickArguments(definition, properties),
  });
  const [before, after]: Properties[] = [withDefaults(olds), withDefaults(news)];
  return Object.keys(definition.args.shape).filter((field) => {
    const [a, b] = [before![field], after![field]];
    if (isUnknown(b)) return true;
    if (typeof a === "string" && typeof b === "string") return !isEquivalent(definition, field, a, b);
    return JSON.stringify(a) !== JSON.stringify(b);
  });
}

/** A value of a fixed list is no secret worth hiding: what it probably meant may be said. */
function nearMatch(value: unknown, values: readonly string[] | undefined): string {
  return typeof value === "string" && values !== undefined ? didYouMean(value, values) : "";
}
