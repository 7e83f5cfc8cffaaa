/**
 * Deletions that the provider would refuse. An engine deletes a company's contents before it asks the provider about the company,
 * and the Pulumi CLI's preview does not ask: so the plan is read before it is applied.
 */
import type { StepEventMetadata } from "@pulumi/pulumi/automation";
import { kindNameOf } from "../../../account-folder/kinds/config-kind";
import { nameOf } from "../../../engine/resource/urn";

/** What is said of them. @param planned the steps of a preview */
export async function refusedDeletions(planned: readonly StepEventMetadata[]): Promise<string[]> {
  const [{ allDefinitions }, { refusalOf }] = await Promise.all([
    import("../../../provider/resources/index.js"),
    import("../../../provider/effects/deletion.js"),
  ]);
  return planned.flatMap(({ op, type, urn, old }) => {
    const definition = allDefinitions.find(({ kind }) => kind === kindNameOf(type));
    if (!/^delete/.test(op) || old == null || old.retainOnDelete || definition === undefined) return [];
    const refusal = refusalOf(definition, old.outputs);
    return refusal === undefined ? [] : [`${definition.kind} "${nameOf(urn)}": ${refusal}`];
  });
}
