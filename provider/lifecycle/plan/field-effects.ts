import { UNKNOWN } from "../../core/pulumi-values";
import { isSecretField } from "../../core/resource-definition";
import type { FieldEffect } from "../../plan/effect";

/** Fields without the values of arguments that are secret, and without values that are not known yet. */
export function fieldEffects(fields: FieldEffect[], secrets: readonly string[] | undefined): FieldEffect[] {
  return fields.map(({ field, declared, ...values }) => {
    if (secrets === undefined || isSecretField(secrets, field)) return { field };
    return { field, ...values, ...(declared !== UNKNOWN && { declared }) };
  });
}
