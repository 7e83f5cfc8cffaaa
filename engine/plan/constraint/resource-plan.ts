/**
 * What is planned for one resource: its inputs and options as they differ from the old state, and its steps.
 *
 * Used for: the file of `preview --save-plan`, whose form is the CLI's.
 */
import type { StepOp } from "../../events";
import type { Alias, Goal } from "../../resource/goal";
import { diffProperties } from "../../resource/property-diff";
import { formatPath } from "../../resource/property-path";
import { isEqual, toPrintable, type Value, type ValueMap } from "../../resource/property-value";
import { UNKNOWN } from "../../resource/signatures";
import { providerUrnOf } from "../../resource/urn";

interface ValuesPlan {
  adds?: ValueMap;
  deletes?: string[];
  updates?: ValueMap;
}

/** Options of a resource that must be as planned. Empty ones are absent. */
interface OptionsPlan {
  parent?: string;
  protect: boolean;
  dependencies?: string[];
  provider?: string;
  deleteBeforeReplace?: boolean;
  ignoreChanges?: string[];
  additionalSecretOutputs?: string[];
  structuredAliases?: Record<string, unknown>[];
  customTimeouts?: Record<string, number>;
}

interface GoalPlan extends OptionsPlan {
  type: string;
  name: string;
  custom: boolean;
  inputDiff: ValuesPlan;
  outputDiff: ValuesPlan;
  propertyDependencies?: Record<string, string[]>;
}

export interface ResourcePlan {
  /** Absent for a resource that is only deleted. */
  goal?: GoalPlan;
  steps?: StepOp[];
}

/** A difference from a plan: a property or an option, with the planned and the actual value, safe to print. */
export interface Deviation {
  path: string;
  planned: unknown;
  actual: unknown;
}

export function planOfGoal(goal: Goal, olds: ValueMap, inputs: ValueMap): GoalPlan {
  const list = <T>(name: string, values: T[]) => (values.length > 0 ? { [name]: values } : {});
  return {
    type: goal.type,
    name: goal.name,
    custom: goal.custom,
    inputDiff: planOfValues(olds, inputs),
    outputDiff: {},
    ...(goal.parent !== undefined && { parent: goal.parent }),
    protect: goal.protect === true,
    ...list("dependencies", goal.dependencies),
    ...(goal.provider !== "" && { provider: goal.provider }),
    ...(Object.keys(goal.propertyDependencies).length > 0 && { propertyDependencies: goal.propertyDependencies }),
    ...(goal.deleteBeforeReplace !== undefined && { deleteBeforeReplace: goal.deleteBeforeReplace }),
    ...list("ignoreChanges", goal.ignoreChanges),
    ...list("additionalSecretOutputs", goal.additionalSecretOutputs),
    ...list("structuredAliases", goal.aliases.map(toFileAlias)),
    ...(Object.keys(goal.customTimeouts).length > 0 && { customTimeouts: { ...goal.customTimeouts } }),
  };
}

/** The field names are those of a struct in the CLI. */
function toFileAlias(alias: Alias): Record<string, unknown> {
  const parts: Extract<Alias, { name?: string }> & { urn?: string } = alias;
  const { urn = "", name = "", type = "", project = "", stack = "", parent = "", noParent = false } = parts;
  return { URN: urn, Name: name, Type: type, Project: project, Stack: stack, Parent: parent, NoParent: noParent };
}

export function planOfValues(olds: ValueMap, news: ValueMap): ValuesPlan {
  const [adds, updates]: ValueMap[] = [{}, {}];
  for (const [key, value] of Object.entries(news)) {
    if (isAbsent(value)) continue;
    if (isAbsent(olds[key])) adds![key] = value;
    else if (!isEqual(olds[key], value)) updates![key] = value;
  }
  const deletes = Object.keys(olds).filter((key) => !isAbsent(olds[key]) && isAbsent(news[key]));
  return {
    ...(Object.keys(adds!).length > 0 && { adds: adds! }),
    ...(deletes.length > 0 && { deletes }),
    ...(Object.keys(updates!).length > 0 && { updates: updates! }),
  };
}

const isAbsent = (value: Value | undefined): boolean => value === undefined || value === null;

/** The values that differ from the planned ones. A value that the plan does not mention must not change. */
export function valueDeviations({ adds, deletes = [], updates }: ValuesPlan, olds: ValueMap, news: ValueMap) {
  const planned: ValueMap = { ...olds, ...adds, ...updates };
  for (const key of deletes) delete planned[key];
  const keys = [...new Set([...Object.keys(planned), ...Object.keys(news)])];
  return keys.flatMap((key): Deviation[] => {
    const [expected, actual] = [planned[key], news[key]];
    // An unknown value may be absent when it is known.
    if (expected === UNKNOWN || actual === UNKNOWN) return [];
    const resolved = acceptUnknown(expected ?? null, actual ?? null);
    if (isEqual(resolved, actual)) return [];
    // The serialized code of a dynamic provider is not a value that users know.
    if (key === "__provider") return [{ path: "the code of its provider", planned: "[hidden]", actual: "[hidden]" }];
    const before = isAbsent(resolved) ? {} : { [key]: resolved };
    return diffProperties(before, actual === undefined ? {} : { [key]: actual }).map(({ path, before, after }) => ({
      path: formatPath(path),
      planned: toPrintable(before),
      actual: toPrintable(after),
    }));
  });
}

/** The planned value with the actual one wherever either is unknown. */
function acceptUnknown(planned: Value, actual: Value): Value {
  if (planned === UNKNOWN || actual === UNKNOWN) return actual;
  if (planned === null || actual === null || typeof planned !== "object" || typeof actual !== "object") return planned;
  if (Array.isArray(planned))
    return Array.isArray(actual) ? planned.map((item, i) => acceptUnknown(item, actual[i] ?? null)) : planned;
  if (Array.isArray(actual)) return planned;
  return Object.fromEntries(
    [...new Set([...Object.keys(planned), ...Object.keys(actual)])].flatMap((key) => {
      if (planned[key] === UNKNOWN && !(key in actual)) return [];
      if (!(key in planned)) return actual[key] === UNKNOWN ? [[key, UNKNOWN]] : [];
      return [[key, acceptUnknown(planned[key] as Value, actual[key] ?? null)]];
    }),
  );
}

const listNames = ["dependencies", "ignoreChanges", "additionalSecretOutputs", "structuredAliases"] as const;

export function optionDeviations(planned: GoalPlan, actual: GoalPlan): Deviation[] {
  const deviations: Deviation[] = [];
  const compare = (path: string, a: unknown, b: unknown) => {
    if (JSON.stringify(a) !== JSON.stringify(b)) deviations.push({ path, planned: a, actual: b });
  };
  for (const name of ["custom", "parent", "protect", "deleteBeforeReplace"] as const)
    compare(`${name} (option)`, planned[name], actual[name]);
  if (!isSameProvider(planned.provider, actual.provider))
    compare("provider (option)", planned.provider, actual.provider);
  for (const name of listNames) compare(`${name} (option)`, sorted(planned[name]), sorted(actual[name]));
  compare("customTimeouts (option)", sortedMembers(planned.customTimeouts), sortedMembers(actual.customTimeouts));
  for (const [property, urns] of Object.entries(planned.propertyDependencies ?? {})) {
    // A property that was unknown in the plan may be absent now.
    const now = actual.propertyDependencies?.[property];
    if (now !== undefined) compare(`dependencies of ${property} (option)`, sorted(urns), sorted(now));
  }
  return deviations;
}

const sorted = (list: readonly unknown[] = []): unknown[] =>
  [...new Set(list.map((item) => (typeof item === "string" ? item : JSON.stringify(item))))].sort();
const sortedMembers = (members: Record<string, number> = {}) => Object.entries(members).sort();

/** The id of a provider that was to be created is unknown in its plan. */
function isSameProvider(planned: string | undefined, actual: string | undefined): boolean {
  if (planned === actual) return true;
  if (planned === undefined || actual === undefined) return false;
  const isUnknown = planned.endsWith(`::${UNKNOWN}`) || actual.endsWith(`::${UNKNOWN}`);
  return isUnknown && providerUrnOf(planned) === providerUrnOf(actual);
}

/** Steps that may take the place of a planned one: those that do less. */
export function isAllowed(op: StepOp, planned: StepOp): boolean {
  if (op === planned) return true;
  if (planned === "create" || planned === "update") return op === "same";
  const isReplacement = planned === "replace" || planned === "create-replacement" || planned === "delete-replaced";
  return isReplacement && (op === "same" || op === "update");
}

/** Values of a plan, changed by a function: encrypted for its file, or decrypted. */
export function mapValues(plan: ResourcePlan, change: (values: ValueMap) => ValueMap): ResourcePlan {
  if (plan.goal === undefined) return plan;
  const map = ({ adds, updates, ...rest }: ValuesPlan = {}): ValuesPlan => ({
    ...(adds && { adds: change(adds) }),
    ...rest,
    ...(updates && { updates: change(updates) }),
  });
  const { inputDiff, outputDiff } = plan.goal;
  return { ...plan, goal: { ...plan.goal, inputDiff: map(inputDiff), outputDiff: map(outputDiff) } };
}
