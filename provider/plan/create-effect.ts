/** The effect of a create on the account, planned or done. */
import { sumAmounts, unknownAmount } from "../core/amount";
import type { CreateDecision } from "../core/object-access";
import { isUnknown, type Properties, UNKNOWN } from "../core/pulumi-values";
import { type Fields, isSingleton, type ResourceDefinition } from "../core/resource-definition";
import { isEquivalent } from "../state/drift";
import { blockedBy, type Effect, type PlannedEffect } from "./effect";
import { fieldEffects } from "./field-effects";

/** A resource that is to be created or adopted. */
export interface CreatedResource {
  definition: ResourceDefinition;
  args: Properties;
  /** Declared values of the fields. */
  declared: Fields;
  /** The arguments that are secret; undefined for all. */
  secrets: readonly string[] | undefined;
  /** True for what takes the place of an object that is deleted afterwards. */
  isReplacement?: boolean;
  /** True if the resource exists and is replaced by another instance of the same object. */
  isReplacedInPlace: boolean;
}

/** What is decided without the account; undefined where it is to be read. `company`: the planned one that it belongs to, which has no id yet. */
export function plannedUnread(
  resource: CreatedResource,
  company: { effect: Effect; args: Properties } | undefined,
  isOffline: boolean,
): Effect | undefined {
  const { definition, args } = resource;
  const unread = (detail: string): Effect => ({ effect: "unread", writes: unknownAmount, detail });
  if (args.account === UNKNOWN) {
    const { effect, detail } = company?.effect ?? {};
    if (company && (effect === "create" || effect === "create-duplicate"))
      return effectInNewAccount(resource, company.args);
    return unread(effect === "blocked" ? "its company is blocked" : (detail ?? "its ID is not known yet"));
  }
  if (isOffline) return unread("offline");
  const needed = isSingleton(definition) ? definition.naturalKey : [...definition.naturalKey, ...definition.managed];
  const missing = needed.filter((field) => isUnknown(args[field]));
  return missing.length > 0 ? unread(`${[...new Set(missing)].join(", ")} not known yet`) : undefined;
}

/** What follows from how the existing objects match. `idOf`: an object's id. Also what an adoption sends. */
export function effectOfDecision(
  resource: CreatedResource,
  decision: CreateDecision<unknown>,
  idOf: (item: unknown) => string,
): PlannedEffect & { sending: Fields } {
  const { definition, declared, secrets, isReplacedInPlace } = resource;
  if (decision.action === "refuse") return { ...blockedBy(decision.failure), sending: {} };
  if (decision.action === "create")
    return { effect: withSecondWrite(resource, effectOfCreation(resource, decision.identical)), sending: declared };
  const { fields: live } = definition.fromApi(decision.item);
  const sending = missingValues(definition, declared, live);
  const object = { definition, id: idOf(decision.item) };
  const effect = effectOfAdoption(object, sending, live, secrets, decision.action === "recover");
  return { effect: withReplaced(effect, isReplacedInPlace), sending };
}

/** The declared values that an object does not have, other than those that were sent. */
export function missingValues(
  definition: ResourceDefinition,
  declared: Fields,
  live: Fields,
  sent: readonly string[] = [],
): Fields {
  const isMissing = ([field, value]: [string, string | undefined]) =>
    !sent.includes(field) && !isEquivalent(definition, field, value, live[field]);
  return Object.fromEntries(Object.entries(declared).filter(isMissing));
}

/** What a new account has is not known: its values may be the declared ones, and then nothing is written. */
function effectInNewAccount(resource: CreatedResource, company: Properties): Effect {
  const { definition, args, declared, secrets } = resource;
  const detail = "in an account that does not exist yet";
  const isThere = isSingleton(definition) || definition.collection!.isInNewAccount?.(args, company);
  if (!isThere) return withSecondWrite(resource, { effect: "create", writes: 1, detail });
  const fields = fieldEffects(
    Object.entries(declared).map(([field, value]) => ({ field, declared: value })),
    secrets,
  );
  return { effect: "adopt-and-update", writes: { least: 0, most: 1 }, detail, fields };
}

/** What the creating request cannot carry follows in an update. */
function withSecondWrite({ definition, args, declared }: CreatedResource, effect: Effect): Effect {
  const { createFields, chosenFields } = definition.collection!;
  const sending = missingValues(definition, declared, chosenFields?.(args) ?? {}, createFields);
  return Object.keys(sending).length === 0 ? effect : { ...effect, writes: sumAmounts([effect.writes, 1]) };
}

/**
 * Of an object that exists. `wasPending`: a run that was interrupted has created it. `secrets`: the arguments without
 * values; undefined for all.
 */
export function effectOfAdoption(
  { definition, id }: { definition: ResourceDefinition; id: string },
  sending: Fields,
  live: Fields,
  secrets?: readonly string[],
  wasPending = false,
): Effect {
  const fields = Object.entries(sending).map(([field, declared]) => ({ field, live: live[field], declared }));
  const isIdentical = fields.length === 0;
  return {
    effect: isIdentical ? "adopt" : "adopt-and-update",
    writes: isIdentical ? 0 : 1,
    id,
    ...(wasPending && { detail: "created by an interrupted run" }),
    ...(!isIdentical && { fields: fieldEffects(fields, secrets) }),
    ...(!wasPending && !isSingleton(definition) && { adopted: true }),
  };
}

/** Why what was to be replaced is not, and what to do. */
const replacedByItself = 'it adopts the object that it replaces; for a new one, set onExisting: "create"';

/** Of an object that is adopted in the place of the one that it replaces. */
export const withReplaced = (effect: Effect, isReplacement: boolean): Effect =>
  isReplacement && effect.adopted === true ? { ...effect, detail: replacedByItself } : effect;

/** Of a new object. `identical`: ids of those that exist. `id`: its own, once it has one. */
export function effectOfCreation(
  { args, isReplacement = false }: { args: Properties; isReplacement?: boolean },
  identical: readonly string[] = [],
  id?: string,
): Effect {
  // What it replaces is no other one.
  const [other] = args.onExisting === "create" && !isReplacement ? identical : [];
  return {
    effect: other === undefined ? "create" : "create-duplicate",
    writes: 1,
    ...(id !== undefined && { id }),
    ...(other !== undefined && { detail: `an identical one exists (id ${other})` }),
  };
}
