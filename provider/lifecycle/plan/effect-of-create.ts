/** What a create does to the account: in a plan and after it. */
import { type Fields, isSingleton } from "../../core/resource-definition";
import type { Effect } from "../../plan/effect";
import { fieldEffects } from "../../plan/field-effects";
import type { CreateContext, WriteContext } from "../resource-context";

/**
 * Of an object that exists. `isUnfinished`: a run that was interrupted has created it. `secrets`: the arguments without
 * values; undefined for all.
 */
export function effectOfAdoption(
  { definition, account, key }: Pick<WriteContext, "definition" | "account" | "key">,
  sending: Fields,
  live: Fields,
  secrets?: readonly string[],
  isUnfinished = false,
): Effect {
  const fields = Object.entries(sending).map(([field, declared]) => ({ field, live: live[field], declared }));
  const isIdentical = fields.length === 0;
  return {
    effect: isIdentical ? "adopt" : "adopt-and-update",
    writes: isIdentical ? 0 : 1,
    id: account.id(key),
    ...(isUnfinished && { detail: "created by an earlier run that was interrupted" }),
    ...(!isIdentical && { fields: fieldEffects(fields, secrets) }),
    ...(!isUnfinished && !isSingleton(definition) && { adopted: true }),
  };
}

/** Why what was to be replaced is not, and what to do. */
const replacedByItself = 'the object that it replaces is adopted again: for a new one, set onExisting: "create"';

/** Of an object that is adopted in the place of the one that it replaces. */
export const withReplaced = (effect: Effect, isReplacement: boolean): Effect =>
  isReplacement && effect.adopted === true ? { ...effect, detail: replacedByItself } : effect;

/** Of a new object. `identical`: ids of those that exist. `id`: its own, once it has one. */
export function effectOfCreation(
  { args, isReplacement = false }: Pick<CreateContext, "args" | "isReplacement">,
  identical: readonly string[] = [],
  id?: string,
): Effect {
  // What it replaces is no other one.
  const [other] = args.onExisting === "create" && !isReplacement ? identical : [];
  return {
    effect: other === undefined ? "create" : "create-duplicate",
    writes: 1,
    ...(id !== undefined && { id }),
    ...(other !== undefined && { detail: `another identical one exists (id ${other})` }),
  };
}
