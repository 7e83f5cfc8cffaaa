import { type Properties, withoutUndefined } from "../core/pulumi-values";
import type { Definition, Fields } from "../core/resource-definition";
import { DriftDetector } from "../state/drift";
import type { FieldState } from "../state/metadata";
import type { Originals } from "../state/originals-journal";

/**
 * What a create records of the declared fields, by what the account has now. A field that was not applied displays its
 * live value, so that the next plan has it as a change.
 */
export function recordFields(
  definition: Definition,
  declared: Fields,
  live: Fields,
  notApplied: readonly string[],
  originals: Originals = {},
): { displayed: Fields; fields: Record<string, FieldState> } {
  const displayed: Fields = {};
  const fields: Record<string, FieldState> = {};
  for (const [field, value] of Object.entries(declared)) {
    const original = originals[field];
    const before: FieldState = original === undefined ? {} : { original };
    if (notApplied.includes(field)) {
      displayed[field] = live[field];
      fields[field] = before;
    } else {
      displayed[field] = value;
      const detector = new DriftDetector(definition, {}, { [field]: before });
      fields[field] = detector.stateAfterWrite(field, value!, live[field] ?? value!);
    }
  }
  return { displayed, fields };
}

/** Outputs with those of a later response, which may lack some. */
export function mergeOutputs(outputs: Properties, later: Properties): Properties {
  return { ...outputs, ...withoutUndefined(later) };
}
