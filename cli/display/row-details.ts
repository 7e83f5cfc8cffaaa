/** The details in a row of the plan, after the effect, and the values below the row. */
import type { Colors } from "picocolors/types";
import { kindOfType } from "../../definitions/index";
import { isDeletion, type PropertyDiff } from "../../engine/events";
import { describeChanges, describeDetail, describeLoss } from "../../provider/plan/describe-effects";
import type { FieldEffect } from "../../provider/plan/effect";
import { redactUrl } from "../../redaction/url-credentials";
import {
  changedLines,
  isLong,
  isPlaceholder,
  propertyLines,
  textChangeOf,
  type ValueOptions,
  valueLines,
} from "./format-values";
import type { ShownStep } from "./shown-step";
import { clean } from "./terminal-text";
import type { StepVerb } from "./verbs";

export interface PlanOptions extends ValueOptions {
  /** Show the inputs of what is created and deleted. */
  inputs: boolean;
  showSames?: boolean;
}

const withFields: ReadonlySet<StepVerb> = new Set(["adopt-and-update", "restore", "conflict", "overwrite"]);
const withInputs: ReadonlySet<StepVerb> = new Set(["create", "create-duplicate", "create-replacement", "delete"]);
const existing: ReadonlySet<StepVerb> = new Set(["adopt", "adopt-and-update", "delete", "release"]);

/** The text beside the effect: which object, which fields, why. */
export function detailOf(step: ShownStep): string {
  const { verb, id = "", detail, loss, adopted, reason } = step;
  const parts: string[] = [];
  // The ids of what every account has once say nothing that the row does not say.
  const isNumbered = existing.has(verb) && /\d$/.test(id);
  if (isNumbered) parts.push(`id ${id}`);
  // An id says more than that it is identical.
  if (verb === step.effect && !(isNumbered && verb === "adopt")) parts.push(describeDetail(step));
  parts.push(describeInputs(step));
  if (isDeletion(step.op) && verb !== "conflict") parts.push(describeChanges(step));
  if (loss !== undefined) parts.push(describeLoss(loss));
  if (detail !== undefined) parts.push(step.effect === "unread" ? `account not read: ${detail}` : detail);
  if ((verb === "delete" || verb === "replace") && adopted) parts.push("(adopted: existed before this stack)");
  if (reason !== undefined) parts.push(`(${reason})`);
  // An error says on a second line what to do; a row has one.
  return clean(parts.filter((part) => part !== "").join("  "), false).replace(/\s*\n\s*/g, " ");
}

/** What people know an object by that has no name of its own: what is deleted, by the account's values. */
function describeInputs(step: ShownStep): string {
  const { type, inputs = {}, fields = [] } = step;
  const present = fields.flatMap(({ field, live }) => (live === undefined ? [] : [[field, live]]));
  const values: Record<string, unknown> = { ...inputs, ...(isDeletion(step.op) && Object.fromEntries(present)) };
  const kind = kindOfType(type);
  const identifying = kind?.isCreatable && !Object.hasOwn(kind.arguments, "name") ? kind.naturalKey : [];
  const texts = identifying.flatMap((name) => {
    const value = values[name];
    return typeof value !== "string" || isPlaceholder(value) ? [] : [redactUrl(value)];
  });
  return texts.join(" → ");
}

/** How many resources have the same change of a long text, by that change. */
export function repeatedChanges(steps: Iterable<ShownStep>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const step of steps) {
    for (const change of new Set(
      changesOf(step)
        .map(textChangeOf)
        .filter((each) => each !== undefined),
    ))
      counts.set(change, (counts.get(change) ?? 0) + 1);
  }
  return counts;
}

/** The lines below a row: values before and after. */
export function valuesBelow(
  step: ShownStep,
  colours: Colors,
  options: PlanOptions,
  repeated: ReadonlyMap<string, number>,
): string[] {
  if (step.verb === "conflict" || step.verb === "overwrite")
    return (step.fields ?? []).flatMap((field) => conflictLines(field, colours, options, isDeletion(step.op)));
  if (step.verb === "delete" && step.fields !== undefined)
    return step.fields.flatMap((field) => conflictLines(field, colours, options, true));
  const changes = changesOf(step);
  if (changes.length > 0) {
    return changes.flatMap((change) => {
      const lines = propertyLines(change, colours, options);
      const count = repeated.get(textChangeOf(change) ?? "") ?? 0;
      return count > 1 ? [...lines.slice(0, -1), `${lines.at(-1)} ${colours.dim(`(same in ${count})`)}`] : lines;
    });
  }
  if (!options.inputs || step.inputs === undefined || !withInputs.has(step.verb)) return [];
  const kind = step.verb === "delete" ? "delete" : "add";
  return Object.entries(step.inputs).flatMap(([path, value]) =>
    propertyLines({ path, kind, replaces: false, [kind === "add" ? "after" : "before"]: value }, colours, options),
  );
}

/** The account's values against the declared ones where both are known, else the state's. */
function changesOf({ verb, fields = [], diffs = [] }: ShownStep): PropertyDiff[] {
  return withFields.has(verb) && fields.length > 0 ? fields.map(changeOf) : diffs;
}

function changeOf({ field, secret, live, declared = "[unknown]" }: FieldEffect): PropertyDiff {
  const change = { path: field, replaces: false };
  if (secret === true) return { ...change, kind: "update", before: "[secret]", after: "[secret]" };
  return live === undefined
    ? { ...change, kind: "add", after: declared }
    : { ...change, kind: "update", before: live, after: declared };
}

/**
 * All values, or how they differ. Without that of the state where only the others differ; what is deleted declares none, unless an original
 * value is restored.
 */
function conflictLines(
  { field, secret, recorded, live, declared }: FieldEffect,
  colours: Colors,
  options: PlanOptions,
  isDeleted: boolean,
) {
  const next = isDeleted ? (declared === undefined ? {} : { original: declared }) : { declared };
  const values = { ...((secret || recorded !== undefined) && { state: recorded }), account: live, ...next };
  const texts = Object.values(values).filter((value) => value !== undefined);
  const head = `${colours.red("!")} ${clean(field, false)}:`;
  if (!texts.some(isLong)) {
    const absent: Record<string, string> = secret ? {} : { account: "(no value)", declared: "[unknown]" };
    const line = ([label, value]: [string, string | undefined]) =>
      `    ${label.padEnd(8)}  ${value === undefined ? (absent[label] ?? "[secret]") : valueLines(value)[0]}`;
    return [head, ...Object.entries(values).map(line)];
  }
  const step = (label: string, before = "", after = "") => {
    if (options.brief) return [`    ${label}: ${changedLines(before, after, colours)}`];
    const change: PropertyDiff = { path: label, kind: "update", replaces: false, before, after };
    return propertyLines(change, colours, options).map((line) => `    ${line}`);
  };
  const after = Object.keys(next).map((label) => step(`account → ${label}`, live, declared));
  const before = recorded === undefined ? [] : step("state → account", recorded, live);
  return [head, ...before, ...after.flat()];
}
