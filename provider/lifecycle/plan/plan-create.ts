/** Plans the create of a resource in a preview: reads the account, decides by the rules of the create, writes nothing. */
import { isNone, sumAmounts, unknownAmount } from "../../core/amount";
import { duplicateFailure } from "../../core/duplicate";
import type { CreateDecision } from "../../core/object-access";
import { isUnknown, type Properties, UNKNOWN } from "../../core/pulumi-values";
import type { Registration } from "../../core/registration";
import { type GuardedWrite, isSingleton, naturalKeyOf } from "../../core/resource-definition";
import type { Effect } from "../../plan/effect";
import { fieldEffects } from "../../plan/field-effects";
import { previewMaxAge } from "../../session/account";
import { withoutSamePictures } from "../compare-pictures";
import { createRequest } from "../create/create-request";
import type { CreateContext } from "../resource-context";
import { missingValues } from "../write-declared";
import { effectOfAdoption, effectOfCreation, withReplaced } from "./effect-of-create";

/** A resource that is to be created. */
export interface PlannedResource extends CreateContext {
  registration: Registration;
  /** True if the resource exists and is replaced by another instance of the same object. */
  isReplacedInPlace: boolean;
}

/** An effect, and the error with which the update will refuse it. */
export interface PlannedEffect {
  effect: Effect;
  failure?: Error;
}

/** `changed` is called if a resource that is registered later changes the decision. */
export async function planCreate(
  resource: PlannedResource,
  changed: (planned: PlannedEffect) => void,
): Promise<PlannedEffect> {
  const { definition, session, args } = resource;
  const unread = (detail: string): PlannedEffect => ({ effect: { effect: "unread", writes: unknownAmount, detail } });
  if (args.account === UNKNOWN) {
    const company = session.preview!.companies.find(resource.registration.company);
    const { effect, detail } = company?.effect ?? {};
    if (company && (effect === "create" || effect === "create-duplicate"))
      return { effect: effectInNewAccount(resource, company.args) };
    return unread(effect === "blocked" ? "its company is blocked" : (detail ?? "account not known yet"));
  }
  if (session.isOffline) return unread("offline");
  const needed = isSingleton(definition) ? definition.naturalKey : [...definition.naturalKey, ...definition.managed];
  const unknown = needed.filter((field) => isUnknown(args[field]));
  if (unknown.length > 0) return unread(`${[...new Set(unknown)].join(", ")} not known yet`);
  return isSingleton(definition) ? planAdoption(resource) : planObject(resource, changed);
}

/** What a new account has is not known: its values may be the declared ones, and then nothing is written. */
function effectInNewAccount(resource: PlannedResource, company: Properties): Effect {
  const { definition, args, declared, registration } = resource;
  const detail = "in an account that does not exist yet";
  const isThere = isSingleton(definition) || definition.collection!.isInNewAccount?.(args, company);
  if (!isThere) return withSecondWrite(resource, { effect: "create", writes: 1, detail });
  const fields = fieldEffects(
    Object.entries(declared).map(([field, value]) => ({ field, declared: value })),
    registration.secrets,
  );
  return { effect: "adopt-and-update", writes: { least: 0, most: 1 }, detail, fields };
}

async function planAdoption(resource: PlannedResource): Promise<PlannedEffect> {
  const { definition, account, args, declared, registration, isReplacedInPlace } = resource;
  const key = definition.key(undefined, args);
  const item = await definition.read(account, key, previewMaxAge);
  const live = item === undefined ? {} : definition.fromApi(item).fields;
  const isRestored = isReplacedInPlace && args.onDelete !== "keep";
  const sending = isRestored
    ? declared
    : await withoutSamePictures(resource, missingValues(definition, declared, live), live);
  const effect = effectOfAdoption({ definition, account, key }, sending, live, registration.secrets);
  if (isRestored) return { effect: { ...effect, detail: "after its original values are restored" } };
  try {
    if (!isNone(effect.writes)) await definition.guard?.(account, { key, fields: sending, isPlan: true });
    return { effect };
  } catch (failure) {
    return blockedBy(failure as Error, effect.id);
  }
}

async function planObject(
  resource: PlannedResource,
  changed: (planned: PlannedEffect) => void,
): Promise<PlannedEffect> {
  const { definition, session, account, args, registration } = resource;
  if (args.onExisting !== "create") {
    const object = account.id(naturalKeyOf(definition, args));
    if (session.preview!.reserve(object, registration) !== undefined) return blockedBy(duplicateFailure(true));
  }
  const request = await createRequest(resource);
  let write: Pick<GuardedWrite, "key" | "fields"> = { key: undefined, fields: resource.declared };
  const planned = (decision: CreateDecision<unknown>): PlannedEffect => {
    if (decision.action === "refuse") return blockedBy(decision.failure);
    if (decision.action === "create")
      return { effect: withSecondWrite(resource, effectOfCreation(resource, decision.identical)) };
    const { fields: live } = definition.fromApi(decision.item);
    const object = { definition, account, key: definition.key(decision.item, args) };
    const sending = missingValues(definition, resource.declared, live);
    write = { key: object.key, fields: sending };
    const isUnfinished = decision.action === "recover";
    const effect = effectOfAdoption(object, sending, live, registration.secrets, isUnfinished);
    return { effect: withReplaced(effect, resource.isReplacedInPlace) };
  };
  const { creator } = definition.collection!.objects(account);
  const plan = planned(await creator.plan(request, (decision) => changed(planned(decision))));
  if (plan.failure !== undefined) return plan;
  try {
    await definition.guard?.(account, { ...write, isPlan: true });
    return plan;
  } catch (failure) {
    return blockedBy(failure as Error, plan.effect.id);
  }
}

/** What the creating request cannot carry follows in an update. */
function withSecondWrite({ definition, args, declared }: PlannedResource, effect: Effect): Effect {
  const { createFields, chosenFields } = definition.collection!;
  const sending = missingValues(definition, declared, chosenFields?.(args) ?? {}, createFields);
  return Object.keys(sending).length === 0 ? effect : { ...effect, writes: sumAmounts([effect.writes, 1]) };
}

/** `id`: of the existing object. */
export function blockedBy(failure: Error, id?: string): PlannedEffect {
  return {
    effect: { effect: "blocked", writes: 0, ...(id !== undefined && { id }), detail: failure.message },
    failure,
  };
}
