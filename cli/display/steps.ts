/** The word and the symbol of each step in the display: they say what happens to the object, which is not always what happens to the state. */
import type { EngineEvent, PropertyDiff, RunResult, StepInfo } from "../../engine/events";
import { isProviderType, STACK_TYPE } from "../../engine/resource/urn";
import type { RequestCounts } from "../../provider/effects/request-counts";
import type { Effect, EffectName, Writes } from "../../provider/plan/effect";
import { clean } from "./text";
import type { Verb } from "./verbs";

/** A step of the engine, with its effect on the account as far as it is known. */
export type StepWithEffect = StepInfo & Partial<Omit<Effect, "id">>;

/** What a run does to the account. */
export interface AccountSummary extends Writes {
  /** Number of resources by effect. */
  effects: Partial<Record<EffectName, number>>;
  /** True where nothing was read on purpose. */
  offline?: boolean;
}

type StepEvent = Extract<EngineEvent, { type: "step" }>;
type EndEvent = Extract<EngineEvent, { type: "end" }>;

/** An event of the engine, with what it means to the account. */
export type DisplayEvent =
  | Exclude<EngineEvent, StepEvent | EndEvent>
  | (Omit<StepEvent, "step"> & { step: StepWithEffect })
  | (EndEvent & { account?: AccountSummary; requests?: Record<string, RequestCounts> });

/** A step as people see it. */
export type ShownStep = StepWithEffect & { verb: Verb };

/** Dynamic resources all have the same first part in their type; people know them by the rest. */
export const shortType = (type: string): string =>
  type.replace(/^pulumi-nodejs:dynamic\//, "").replace(/^esign:(index:)?/, "");

/** False for the stack and components, which only hold others: a row that says that they change is no news. */
export const isManaged = ({ custom, type }: StepInfo): boolean => custom && type !== STACK_TYPE;

/** False for explicit providers, too: the account has nothing of the kind. */
export const isObject = (step: StepInfo): boolean => isManaged(step) && !isProviderType(step.type);

/** Without properties that begin with two underscores, which are bookkeeping; with the options among the properties. */
export function shownStep(step: StepWithEffect): ShownStep {
  const { diffs, options, inputs, ...rest } = step;
  const properties = diffs?.filter(({ path }) => !path.startsWith("__"));
  const shown = options
    ? [...(properties ?? []), ...options.map((diff) => ({ ...diff, path: `${diff.path} (option)` }))]
    : properties;
  return {
    ...rest,
    verb: verbOf(step, shown ?? []),
    ...(shown !== undefined && { diffs: shown }),
    ...(inputs !== undefined && {
      inputs: Object.fromEntries(Object.entries(inputs).filter(([key]) => !key.startsWith("__"))),
    }),
  };
}

/** Operations whose effect says more than they do. A replacement's parts are one row. */
const opsWithEffect: ReadonlySet<string> = new Set(["create", "update", "delete"]);

function verbOf({ op, result, effect, options, retained }: StepWithEffect, diffs: readonly PropertyDiff[]): Verb {
  if (op === "refresh") return result === "delete" ? "gone" : diffs.length > 0 ? "refresh" : "same";
  if (effect === "blocked" || effect === "conflict") return effect;
  if (opsWithEffect.has(op) && effect !== undefined && effect !== "unread") return effect;
  if (retained && op === "delete") return "release";
  return op === "same" && options ? "options" : op;
}

/** `[~subject, +content]`, behind a resource that was changed. */
export function changedKeys(step: ShownStep): string {
  const signs = { add: "+", delete: "-", update: "~" };
  const keys = [...new Set((step.diffs ?? []).map((d) => signs[d.kind] + clean(d.path, false).split(/[.[]/)[0]))];
  return keys.length === 0 ? "" : ` [${keys.join(", ")}]`;
}

/** True when a run changed, or would change, a resource. */
export const hasChanges = (changes: RunResult["changes"]): boolean =>
  Object.entries(changes).some(([op, count]) => op !== "same" && op !== "read" && op !== "refresh" && (count ?? 0) > 0);

/** True for an event that reports no change, of a resource or of the outputs. */
export function isUnchanged(event: EngineEvent): boolean {
  if (event.type === "outputs") return JSON.stringify(event.outputs) === JSON.stringify(event.before);
  if (event.type !== "step") return true;
  const { op, result, options = [], diffs = [] } = event.step;
  return op === "same" ? options.length === 0 : op === "refresh" && result !== "delete" && diffs.length === 0;
}
