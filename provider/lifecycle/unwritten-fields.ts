/** What a user reads of fields that do not have the value that was sent: kept, not changed by the API, or rejected. */

import { fieldOf } from "../../definitions/field";
import { Failure } from "../core/failure";
import { type Fields, isSingleton, type ResourceDefinition } from "../core/resource-definition";
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

/** Truncation is not a failure: the API may have removed something that does not matter. */
export function warnTruncated(context: WriteContext, sending: Fields, now: Fields): void {
  for (const [field, value] of Object.entries(sending)) {
    if (!isTruncated(context.definition, field, value!, now[field])) continue;
    const lengths = `${now[field]!.length} of ${value!.length} characters`;
    logAbout(context, `${field}: the API truncated the value to ${lengths}. Shorten it`);
  }
}

function isTruncated(definition: ResourceDefinition, field: string, sent: string, now: string | undefined): boolean {
  const { normalizeLoose } = fieldOf(definition, field) ?? {};
  if (normalizeLoose === undefined || !now) return false;
  const [whole, stored] = [normalizeLoose(sent), normalizeLoose(now)];
  return stored !== "" && stored.length < whole.length && whole.startsWith(stored);
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
      ? "Rerun; if it repeats, the API rejects this value silently: contact support"
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
    'Set onDelete: "keep" and run `up`; then rerun. Restore the value in the web app',
  );
}
