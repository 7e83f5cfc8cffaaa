/** Plans the create of a resource in a preview: reads the account, decides by the rules of the create, writes nothing. */
import { naturalKeyOf } from "../../../definitions/kind";
import { isNone } from "../../core/amount";
import { duplicateFailure } from "../../core/duplicate-error";
import type { CreateDecision } from "../../core/object-access";
import { UNKNOWN } from "../../core/pulumi-values";
import type { Registration } from "../../core/registration";
import { isSingleton } from "../../core/resource-definition";
import { readMaxAge } from "../../core/time-limits";
import {
  type CreatedResource,
  effectOfAdoption,
  effectOfDecision,
  missingValues,
  plannedUnread,
} from "../../plan/create-effect";
import { afterRestore, blockedBy, type PlannedEffect } from "../../plan/effect";
import { withoutSamePictures } from "../compare-pictures";
import { createRequest } from "../create/create-request";
import { missingFailure } from "../gone-failures";
import type { CreateContext } from "../resource-context";

/** A resource that is to be created. */
type PlannedResource = CreateContext & CreatedResource & { registration: Registration };

/** `changed` is called if a resource that is registered later changes the decision. */
export async function planCreate(
  resource: PlannedResource,
  changed: (planned: PlannedEffect) => void,
): Promise<PlannedEffect> {
  const { definition, session, args, registration } = resource;
  const company = args.account === UNKNOWN ? session.run.preview!.companies.find(registration.company) : undefined;
  const effect = plannedUnread(resource, company, session.connection.isOffline);
  if (effect !== undefined) return { effect };
  return isSingleton(definition) ? planAdoption(resource) : planObject(resource, changed);
}

async function planAdoption(resource: PlannedResource): Promise<PlannedEffect> {
  const { definition, account, args, declared, secrets, isReplacedInPlace } = resource;
  const key = definition.key(undefined, args);
  const item = await definition.read(account, key, readMaxAge.preview);
  if (item === undefined) return blockedBy(missingFailure(definition, account.id(key)));
  const { fields: live } = definition.fromApi(item);
  const isRestored = isReplacedInPlace && args.onDelete !== "keep";
  const sending = isRestored
    ? declared
    : await withoutSamePictures(resource, missingValues(definition, declared, live), live);
  const adoption = effectOfAdoption({ definition, id: account.id(key) }, sending, live, secrets);
  const effect = { ...adoption, declares: Object.keys(declared) };
  if (isRestored) return { effect: { ...effect, detail: afterRestore } };
  try {
    if (!isNone(effect.writes)) await definition.guard?.(account, { key, fields: sending, isPreview: true });
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
    if (session.run.preview!.reserve(object, registration) !== undefined) return blockedBy(duplicateFailure(true));
  }
  const request = await createRequest(resource);
  const keyOf = (item: unknown) => definition.key(item, args);
  const decide = (decision: CreateDecision<unknown>) => ({
    ...effectOfDecision(resource, decision, (item) => account.id(keyOf(item))),
    key: "item" in decision ? keyOf(decision.item) : undefined,
  });
  const planned = ({ effect, failure }: PlannedEffect): PlannedEffect =>
    failure === undefined ? { effect } : { effect, failure };
  const { creator } = definition.collection!.objects(account);
  const decided = decide(await creator.plan(request, (decision) => changed(planned(decide(decision)))));
  const plan = planned(decided);
  if (plan.failure !== undefined) return plan;
  try {
    await definition.guard?.(account, { key: decided.key, fields: decided.sending, isPreview: true });
    return plan;
  } catch (failure) {
    return blockedBy(failure as Error, plan.effect.id);
  }
}
