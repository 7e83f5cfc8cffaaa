/**
 * Writes a plan to its file, and reads it.
 *
 * Used for: the file of `preview --save-plan`.
 */
import type { DeploymentPlan } from "../api";
import { EngineError } from "../errors";
import { mapValues, type ResourcePlan } from "../plan/constraint/resource-plan";
import type { UpdatePlan } from "../plan/constraint/update-plan";
import { isObject, type ValueMap } from "../resource/property-value";
import { stackOf } from "../resource/urn";
import { newManifest } from "../state/checkpoint";
import { ResourceSerializer } from "../state/serializer";

export function savedPlan(
  { resources }: UpdatePlan,
  serializer: ResourceSerializer,
  showSecrets: boolean | undefined,
): DeploymentPlan {
  const plans = [...resources].map(([urn, plan]) => {
    const close = (values: ValueMap) => serializer.encryptSecrets(urn, values, showSecrets) as ValueMap;
    return [urn, { ...mapValues(plan, close), state: null }];
  });
  return { manifest: newManifest(), resourcePlans: Object.fromEntries(plans) };
}

/** By URN. */
export function readPlan(
  { resourcePlans = {} }: DeploymentPlan,
  stack: string,
  serializer: ResourceSerializer,
): Map<string, ResourcePlan> {
  // It was encrypted with the key that writes secrets now, which may differ from the key of the state.
  const { crypter } = serializer;
  const reader = new ResourceSerializer(crypter);
  const plans = new Map<string, ResourcePlan>();
  for (const [urn, plan] of Object.entries(resourcePlans)) {
    if (!isObject(plan) || (plan.goal !== undefined && !isObject(plan.goal)))
      throw new EngineError(`the plan of ${urn} is not an object: save the plan again`, "invalid");
    if (stackOf(urn) !== stack)
      throw new EngineError(`this plan is of the stack ${stackOf(urn)}, not of ${stack}`, "invalid");
    plans.set(
      urn,
      mapValues(plan as ResourcePlan, (values) => reader.decryptSecrets(urn, values)),
    );
  }
  return plans;
}
