/** What a user reads of fields that do not have the value that was sent: kept, not changed by the API, or rejected. */

import { Failure } from "../core/failure";
import { isSingleton, type ResourceDefinition } from "../core/resource-definition";
import { emptyOriginal, noOriginal } from "../plan/restore-effect";
import { valueHash } from "../state/drift";
import { logAbout, type ResourceContext, type WriteContext } from "./resource-context";

/** Logs that a field is managed no more, and unchanged. */
export function warnReleased(context: ResourceContext, field: string, live: string | undefined): void {
  if (!isSingleton(context.definition) || live === undefined) return;
  const isEmpty = context.detector.fieldStates[field]?.original === null;
  const reason = isEmpty ? emptyOriginal : noOriginal(context.metadata);
  logAbout(context, `${field} is no longer declared and left unchanged: ${reason}`);
}

/** Logs which of the fields that were not restored stay because their original is empty, which is no failure. Returns the others. */
export function warnKept(
  context: WriteContext,
  fields: readonly string[],
  originalOf: (field: string) => string | null,
): string[] {
  for (const field of fields.filter((name) => !originalOf(name))) {
    logAbout(context, `${field} left unchanged: ${emptyOriginal}`);
  }
  return fields.filter((field) => originalOf(field));
}

/** `repeated`: those of the fields that the run before could not change to the same value either. */
export function unchangedFailure(fields: readonly string[], repeated: readonly string[] = []): Failure {
  const again = repeated.length === 0 ? "" : ` (${repeated.join(", ")}: for the second time with the same value)`;
  return new Failure(
    "ESIGN1030",
    `the API reported success but did not change ${fields.join(", ")}${again}`,
    repeated.length === 0
      ? undefined
      : "Another run does not help: the API rejects this value silently. Declare another value or none, or contact support",
    repeated.length > 0,
  );
}

/** What to record of a field whose declared value was not applied. */
export const ignoredValue = (definition: ResourceDefinition, field: string, declared: string | undefined) =>
  declared === undefined ? {} : { ignoredHash: valueHash(definition, field, declared) };

export function restoreRejected(
  rejected: readonly string[],
  { reason, hasWritten }: { reason?: string; hasWritten: boolean },
): Failure {
  return new Failure(
    "ESIGN1031",
    `could not restore ${rejected.join(", ")}: ${reason}. ${hasWritten ? "Other fields were restored" : "Nothing was changed"}`,
  );
}
