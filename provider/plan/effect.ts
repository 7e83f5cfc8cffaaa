/**
 * What a step of the plan does to the account, as opposed to the engine's operation on the state: the creation of a
 * resource may adopt an object and write nothing. The provider reports it; a preview shows it.
 */

import { type Amount, hasLoss, type Loss, leastOf, sumAmounts, unknownAmount } from "../core/amount";

/**
 * - `create`: the account has nothing like it.
 * - `adopt`: it exists and is as declared: no write.
 * - `adopt-and-update`: it exists, and declared fields differ.
 * - `create-duplicate`: an identical one exists, and `onExisting` is `"create"`.
 * - `blocked`: the update will refuse it; `detail` says why.
 * - `update`: declared fields are written.
 * - `conflict`: a field was changed outside Pulumi, and the update will refuse to overwrite it.
 * - `overwrite`: the same with `onConflict: "overwrite"`.
 * - `restore`: original values are written.
 * - `release`: the object is unchanged, and no longer managed.
 * - `delete`: the object is deleted, without a write if that is with its company; `adopted` tells whether it existed before the stack.
 * - `none`: nothing is written, and it is managed already (another of its arguments changes).
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

/** One field of an object. Values that are or may be secret are absent. */
export interface FieldEffect {
  field: string;
  /** The value that the state has, where it differs from `live`: a conflict. */
  recorded?: string | undefined;
  /** The value that the account has. */
  live?: string | undefined;
  /** The value that is written. */
  declared?: string | undefined;
}

export interface Effect {
  effect: EffectName;
  /** Requests that change the account. A new account may have the declared values: then there are as many at most. */
  writes: Amount;
  /** Id of the existing object. */
  id?: string;
  /** What to add for people: why it is blocked. */
  detail?: string | undefined;
  /** Of a deletion, the data that goes with the object; absent if the object alone is lost. */
  loss?: Loss;
  /** The fields that are written, in conflict, or left unchanged. */
  fields?: FieldEffect[];
  /** True for an object that existed before the stack. */
  adopted?: boolean;
  /** True for what passes to another resource whose state lacks what this one had: its next update records it. */
  needsUpdate?: boolean;
}

/** An effect, and the error with which the update will refuse it. */
export interface PlannedEffect {
  effect: Effect;
  failure?: Error;
}

/** `id`: of the existing object. */
export function blockedBy(failure: Error, id?: string): PlannedEffect {
  return {
    effect: { effect: "blocked", writes: 0, ...(id !== undefined && { id }), detail: failure.message },
    failure,
  };
}

/**
 * An effect and the resource it belongs to: one line of JSON in the file that `ESIGN_EFFECTS_FILE` names. A later line
 * of the same resource replaces an earlier one. Arguments that are secret have no values; only the state knows which
 * were secret before: who shows `recorded` and `live` leaves out those of outputs that the state marks as secret.
 */
export interface EffectRecord extends Effect {
  /** Kind of the resource: `Webhook`. */
  kind: string;
  /** Absent where the provider does not know it: then the resource is the one of the `id`. */
  urn?: string;
  /** True for what was done, false for what is planned. */
  done: boolean;
  /** Of a planned create, the fingerprint of the key: objects of two accounts may have the same id. */
  account?: string | undefined;
}

/** Kind of a record about an explicit provider that the engine does not call in a preview. */
export const providerKind = "Provider";

/** The effect of the resources that such a provider serves. */
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
  /** Number of resources of which the effect is not known. */
  unread: number;
}

/** An effect that is absent is not known. */
export function sumWrites(effects: readonly Partial<Effect>[]): Writes {
  const isUnread = ({ effect }: Partial<Effect>) => effect === undefined || effect === "unread";
  return {
    writes: sumAmounts(effects.map((each) => (isUnread(each) ? unknownAmount : (each.writes ?? 0)))),
    unread: effects.filter(isUnread).length,
  };
}

export type Irreplaceable = "adopted" | "filled" | "unknown";

/** True for a deletion that a person may regret: of what existed before the stack, or with data. */
export const isIrreplaceable = (effect: Partial<Effect>): boolean => whyIrreplaceable(effect) !== undefined;

/** Why a person may regret it: `filled` with data, or with what is `unknown`. */
export function whyIrreplaceable({ effect, adopted, loss }: Partial<Effect>): Irreplaceable | undefined {
  if (effect !== "delete") return undefined;
  if (adopted) return "adopted";
  if (loss === undefined || !hasLoss(loss)) return undefined;
  return leastOf(loss.sent) + leastOf(loss.open) > 0 ? "filled" : "unknown";
}
