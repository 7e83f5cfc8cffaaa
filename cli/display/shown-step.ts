/**
 * Turns a step of the engine into what the display shows. Its verb says what happens to the object in the account, which may differ from
 * what happens to the state.
 */
import type { EngineEvent, PropertyDiff, StepInfo } from "../../engine/events";
import { isProviderType, STACK_TYPE } from "../../engine/resource/urn";
import type { Effect, EffectName, Writes } from "../../provider/plan/effect";
import type { RequestCounts } from "../../provider/reporting/request-counts";
import { clean } from "./terminal-text";
import type { StepVerb } from "./verbs";

/** A step of the engine, with its effect on the account if it is known. */
export type StepWithEffect = StepInfo & Partial<Omit<Effect, "id">>;

/** The effects of a run on the account. */
export interface AccountSummary extends Writes {
  /** Number of resources by effect. */
  effects: Partial<Record<EffectName, number>>;
  /** True if the account was not read because the user chose so. */
  offline?: boolean;
}

type StepEvent = Extract<EngineEvent, { type: "step" }>;
type EndEvent = Extract<EngineEvent, { type: "end" }>;

/** An event of the engine, with the effects on the account. */
export type DisplayEvent =
  | Exclude<EngineEvent, StepEvent | EndEvent>
  | (Omit<StepEvent, "step"> & { step: StepWithEffect })
  | (EndEvent & { account?: AccountSummary; requests?: Record<string, RequestCounts> });

/** A step with the verb to show. */
export type ShownStep = StepWithEffect & { verb: StepVerb };

/** The type of a resource without the prefixes that all of ours have. */
export const shortType = (type: string): string =>
  type.replace(/^pulumi-nodejs:dynamic\//, "").replace(/^esign:(index:)?/, "");

/** False for the stack and components: a change of what only groups others is not worth a row. */
export const isManaged = ({ custom, type }: StepInfo): boolean => custom && type !== STACK_TYPE;

/** False for explicit providers, too: the account has no object for them. */
export const isObject = (step: StepInfo): boolean => isManaged(step) && !isProviderType(step.type);

/**
 * The step as it is shown. Properties that begin with two underscores are internal, so they are removed; changed options are listed among
 * the properties.
 */
export function shownStep(step: StepWithEffect): ShownStep {
  const { diffs, options, inputs, ...rest } = step;
  const changes = diffs?.filter(({ path }) => !path.startsWith("__"));
  const hidden = hiddenChanges(step);
  const properties = hidden.length > 0 ? [...(changes ?? []), ...hidden] : changes;
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

const argumentOf = (path: string) => path.split(/[.[]/)[0];

/** Arguments that an update writes and whose values may be secret: Pulumi's event log has both values as the same text, so it names no difference. */
function hiddenChanges({ op, diffs = [], fields = [] }: StepWithEffect): PropertyDiff[] {
  if (op !== "update") return [];
  const named = new Set(diffs.map(({ path }) => argumentOf(path)));
  return fields
    .filter(({ field, secret }) => secret === true && !named.has(argumentOf(field)))
    .map(({ field }) => ({ path: field, kind: "update", replaces: false, before: "[secret]", after: "[secret]" }));
}

/** Operations for which the effect is the more precise verb. Not the parts of a replacement, which are one row. */
const opsWithEffect: ReadonlySet<string> = new Set(["create", "update", "delete"]);

function verbOf({ op, result, effect, options, retained }: StepWithEffect, diffs: readonly PropertyDiff[]): StepVerb {
  if (op === "refresh") return result === "delete" ? "gone" : diffs.length > 0 ? "refresh" : "same";
  if (effect === "blocked" || effect === "conflict") return effect;
  if (opsWithEffect.has(op) && effect !== undefined && effect !== "unread") return effect;
  if (retained && op === "delete") return "release";
  return op === "same" && options ? "options" : op;
}

/** `[~subject, +content]`, to show after a changed resource. */
export function changedKeys(step: ShownStep): string {
  const signs = { add: "+", delete: "-", update: "~" };
  const keys = [...new Set((step.diffs ?? []).map((d) => signs[d.kind] + argumentOf(clean(d.path, false))))];
  return keys.length === 0 ? "" : ` [${keys.join(", ")}]`;
}

/** True for an event that reports no change of a resource or output. */
export function isUnchanged(event: EngineEvent): boolean {
  if (event.type === "outputs") return JSON.stringify(event.outputs) === JSON.stringify(event.before);
  if (event.type !== "step") return true;
  const { op, result, options = [], diffs = [] } = event.step;
  return op === "same" ? options.length === 0 : op === "refresh" && result !== "delete" && diffs.length === 0;
}
