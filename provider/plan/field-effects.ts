/** The fields of an effect. */
import { UNKNOWN } from "../core/pulumi-values";
import { isSecretField } from "../core/resource-definition";
import type { DriftDetector } from "../state/drift";
import type { FieldEffect } from "./effect";

/** Fields without the values of those that are secret, and without values that are not known yet. `secrets`: undefined for all. */
export function fieldEffects(fields: FieldEffect[], secrets: readonly string[] | undefined): FieldEffect[] {
  return fields.map(({ field, declared, ...values }) => {
    if (secrets === undefined || isSecretField(secrets, field)) return { field, secret: true };
    return { field, ...values, ...(declared !== UNKNOWN && { declared }) };
  });
}

/** The value of a field that the state shows. */
export const recordedValue = (detector: DriftDetector, field: string): string | undefined =>
  (detector.state[field] as string | undefined) ?? detector.declared(field);
