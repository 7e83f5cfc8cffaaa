/**
 * Effects: what a step of the plan does to the account. The engine's operation only says what it does to the state: a "create" may adopt
 * an existing object and write nothing. The provider computes effects, and previews show them.
 */

import { type Amount, hasLoss, type Loss, leastOf, sumAmounts, unknownAmount } from "../core/amount";

/**
 * - `create`: a new object is created.
 * - `adopt`: an identical object exists and becomes the resource's; nothing is written.
 * - `adopt-and-update`: a matching object exists and becomes the resource's; fields that differ are written.
 * - `create-duplicate`: a new object is created although an identical one exists, because of `onExisting: "create"`.
 * - `blocked`: the update fails; `detail` says why.
 * - `update`: declared fields are written.
 * - `conflict`: a field was changed outside Pulumi, and the update refuses to overwrite it.
 * - `overwrite`: such a change is overwritten, because of `onConflict: "overwrite"`.
 * - `restore`: original values are written.
 * - `release`: the object is unchanged and no longer managed.
 * - `delete`: the object is deleted. No write is counted if its company's deletion includes it. `adopted`: whether it existed before the
 *   stack.
 * - `none`: the object is managed already, and nothing is written (another argument changes).
 * - `unread`: the account was not or could not be read; `detail` says why.
 */
export const effectNames = [
  "create",
  "adopt",
  "adopt-and-update",
  "create-duplicate",
  "blocked",
  "update",
  "conflict",
  "overwrite",
  "restore",
  "release",
  "delete",
  "none",
  "unread",
] as const;

export type EffectName = (typeof effectNames)[number];

/** One field of an object. */
export interface FieldEffect {
  field: string;
  /** True if the values are absent since they are secret, or may be. */
  secret?: boolean;
  /** The value in the state, if it differs from `live`: it was changed outside Pulumi. For an update, that is a conflict. */
  recorded?: string | undefined;
  /** The value in the account; absent if it has none. */
  live?: string | undefined;
  /** The value to write; absent if nothing is written, or if it is not known yet. */
  declared?: string | undefined;
}

export interface Effect {
  effect: EffectName;
  /** Number of requests that change the account; only an upper bound if a new account may have the declared values already. */
  writes: Amount;
  /** ID of the existing object. */
  id?: string;
  /** Text for people, such as why the step is blocked. */
  detail?: string | undefined;
  /** For a deletion, the data that is deleted with the object; absent if there is none. */
  loss?: Loss;
  /** The fields that are written, in conflict, or left unchanged. */
  fields?: FieldEffect[];
  /** True if the object existed before the stack. */
  adopted?: boolean;
  /** Of a planned adoption of what every account has once, the fields that the program declares: its former resource restores the others. */
  declares?: string[];
  /** True if the object passes to another resource whose state lacks data of this one. The other resource's next update records it. */
  needsUpdate?: boolean;
}

/** An effect, and the error with which the update fails, if it does. */
export interface PlannedEffect {
  effect: Effect;
  failure?: Error;
}

/** `id`: ID of the existing object, if there is one. */
export function blockedBy(failure: Error, id?: string): PlannedEffect {
  return {
    effect: { effect: "blocked", writes: 0, ...(id !== undefined && { id }), detail: failure.message },
    failure,
  };
}

/**
 * An effect with its resource. The file that `ESIGN_EFFECTS_FILE` names has one line of JSON for each; a later line for the same resource
 * replaces an earlier one. Values of secret arguments are absent. The record cannot tell which arguments were secret before: whoever
 * displays `recorded` and `live` must hide the outputs that the state marks as secret.
 */
export interface EffectRecord extends Effect {
  /** Kind of the resource, such as `Webhook`. */
  kind: string;
  /** URN of the resource; absent if the provider does not know it. Then `id` identifies it. */
  urn?: string;
  /** True for an effect that has happened, false for a planned one. */
  done: boolean;
  /** For a planned create, the fingerprint of the key: objects of two accounts may have the same ID. */
  account?: string | undefined;
}

/** Detail of an adoption whose former instance is deleted first. */
export const afterRestore = "after its original values are restored";

/** The effect of what is deleted with its company, and so has no deletion of its own. */
export const deletedWithCompany: Effect = { effect: "delete", writes: 0, detail: "with its company" };

/** The effect of a deletion with the option. */
export const retained: Effect = { effect: "release", writes: 0, detail: "retainOnDelete" };

/** Kind of a record about an explicit provider that the engine does not call in a preview, since its key is not known yet. */
export const providerKind = "Provider";

/** The effect of every resource of such a provider. */
export const unevaluated: Effect = {
  effect: "unread",
  writes: unknownAmount,
  detail: "the key of its provider is not known before the update",
};

export const isAdopted = ({ effect }: Pick<Effect, "effect">): boolean =>
  effect === "adopt" || effect === "adopt-and-update";

export interface Writes {
  /** Requests that change the account. */
  writes: Amount;
  /** Number of resources whose effect is not known. */
  unread: number;
}

/** The sum over all effects. An absent effect counts as not known. */
export function sumWrites(effects: readonly Partial<Effect>[]): Writes {
  const isUnread = ({ effect }: Partial<Effect>) => effect === undefined || effect === "unread";
  return {
    writes: sumAmounts(effects.map((each) => (isUnread(each) ? unknownAmount : (each.writes ?? 0)))),
    unread: effects.filter(isUnread).length,
  };
}

export type Irreplaceable = "adopted" | "filled" | "unknown";

/**
 * True for a deletion to warn about, since the stack cannot restore it: of an object that existed before the stack, or of one with data.
 */
export const isIrreplaceable = (effect: Partial<Effect>): boolean => whyIrreplaceable(effect) !== undefined;

/**
 * Why to warn about a deletion; undefined if there is no reason. `adopted`: the object existed before the stack. `filled`: the object has
 * data. `unknown`: its data could not be read.
 */
export function whyIrreplaceable({ effect, adopted, loss }: Partial<Effect>): Irreplaceable | undefined {
  if (effect !== "delete") return undefined;
  if (adopted) return "adopted";
  if (loss === undefined || !hasLoss(loss)) return undefined;
  return leastOf(loss.sent) + leastOf(loss.open) > 0 ? "filled" : "unknown";
}
