/** Plans the deletion of what every account has exactly once: original values are written, never over a change that no plan has shown. */
import type { Edition } from "../../sdk/edition";
import { type Fields, fieldsIn, isClearable, isSingleton } from "../core/resource-definition";
import type { DriftDetector } from "../state/drift";
import type { Metadata } from "../state/metadata";
import type { Effect } from "./effect";
import { fieldEffects, recordedValue } from "./field-effects";

/** What the state has of it, with original values that only the journal has. */
interface RestoredObject {
  detector: DriftDetector;
  metadata: Metadata;
}

export interface RestorePlan {
  /** Original values; an empty string clears the field. */
  restoring: Fields;
  /** Fields that are written over a change that no plan has shown. */
  conflicts: string[];
  /** Fields whose original value is not recorded. */
  unrecorded: string[];
  /** Fields whose original value is empty, which the API does not accept. */
  uncleared: string[];
}

interface RestoreFacts {
  /** Fields that another resource has adopted: they are left unchanged. */
  adopted?: readonly string[];
  /** Values of the account. */
  live: Fields;
  edition: Edition;
  /** True for a value that this stack has sent. */
  isOwn: (field: string, live: string | undefined) => boolean;
  /** True if the original picture is the account's already, whatever its address is. */
  isSamePicture: (field: string) => boolean;
}

export function planRestore(
  { detector }: RestoredObject,
  { live, adopted = [], edition, isOwn, isSamePicture }: RestoreFacts,
): RestorePlan {
  const { definition, originals, managedFields } = detector;
  const isAdopted = (field: string) => adopted.includes(field);
  const isRestored = (field: string) =>
    (originals[field] ?? "") === (live[field] ?? "") || (Boolean(originals[field]) && isSamePicture(field));
  const isConflict = (field: string) =>
    !isAdopted(field) &&
    originals[field] !== undefined &&
    !isRestored(field) &&
    !detector.matchesState(field, live[field]) &&
    !isOwn(field, live[field]);
  const plan: RestorePlan = {
    restoring: {},
    conflicts: managedFields.filter(isConflict),
    unrecorded: [],
    uncleared: [],
  };
  // What the state does not declare was sent by an update with unknown outcome.
  const fields = fieldsIn(definition, detector.state, detector.fieldStates, originals);
  const isPlanned = (field: string) => !isAdopted(field) && (managedFields.includes(field) || field in originals);
  for (const field of fields.filter(isPlanned)) {
    const original = originals[field];
    if (original === undefined) plan.unrecorded.push(field);
    else if (isRestored(field)) continue;
    else if (original !== null || isClearable(definition, field, edition)) plan.restoring[field] = original ?? "";
    else plan.uncleared.push(field);
  }
  return plan;
}

/** The fields to restore although another resource, which declares only some of them, adopts the object. */
export function unadoptedFields(
  { definition, state, managedFields }: DriftDetector,
  adopted: readonly string[],
): string[] {
  if (!isSingleton(definition) || state.onDelete === "keep") return [];
  return managedFields.filter((field) => !adopted.includes(field));
}

/** `secrets`: fields without values; undefined for all. `refusesConflicts`: false where a change outside Pulumi is overwritten. */
export function effectOfRestore(
  { detector, metadata }: RestoredObject,
  { restoring, conflicts, unrecorded, uncleared }: RestorePlan,
  {
    live,
    id,
    secrets,
    refusesConflicts,
  }: { live: Fields; id: string; secrets: readonly string[] | undefined; refusesConflicts: boolean },
): Effect {
  const isWritten = Object.keys(restoring).length > 0;
  const fields = [...new Set([...Object.keys(restoring), ...conflicts])].map((field) => ({
    field,
    ...(conflicts.includes(field) && { recorded: recordedValue(detector, field) }),
    live: live[field],
    declared: restoring[field],
  }));
  const unchanged = [
    // What was adopted as declared has no original other than that.
    ...(metadata.instanceId === undefined ? unrecorded.map((field) => `${field}: ${noOriginal(metadata)}`) : []),
    ...uncleared.map((field) => `${field}: ${emptyOriginal}`),
  ];
  const detail = unchanged.length === 0 ? undefined : `left unchanged: ${unchanged.join("; ")}`;
  if (conflicts.length > 0 && refusesConflicts)
    return { effect: "conflict", writes: 0, id, fields: fieldEffects(fields, secrets), ...(detail && { detail }) };
  if (isWritten)
    return { effect: "restore", writes: 1, id, fields: fieldEffects(fields, secrets), ...(detail && { detail }) };
  return { effect: "release", writes: 0, id, detail: detail ?? "never modified, left unchanged" };
}

/** Why no original value is recorded of a field. */
export const noOriginal = ({ instanceId }: Metadata) =>
  instanceId === undefined ? "the original value is not known" : "adopted as declared, no other original is recorded";

/** Why the original value of a field is not restored. */
export const emptyOriginal = "the original was empty, and the API does not accept an empty value";
