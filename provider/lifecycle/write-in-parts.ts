/** Writes fields of which the API may reject some, such as original values, in several requests. */
import { ApiError, InputError } from "../../sdk/errors";
import { WriteFailure } from "../core/failure";
import { withoutUndefined } from "../core/pulumi-values";
import { type Fields, isCopied, type ResourceDefinition } from "../core/resource-definition";
import { isEquivalent, valueHash } from "../state/drift";
import type { Originals } from "../state/metadata";
import type { WriteContext } from "./resource-context";
import { recordAndWrite, type Written } from "./write-fields";

/** The result of a write of which some parts may be rejected. */
export interface WrittenInParts extends Written {
  /** Fields that the API rejected, and its last reason. */
  rejected: string[];
  reason?: string;
  /** True if something was applied. */
  hasWritten: boolean;
}

/**
 * Writes groups of fields: together, and if a value is rejected, one group after the other, so that a value that the API
 * does not accept any more (such as the URL of a default logo) holds up nothing else. Other groups must be accepted.
 */
export async function writeInParts(
  context: WriteContext,
  originals: Originals,
  groups: readonly Fields[],
  before: Pick<Written, "fields" | "outputs">,
  mayBeRejected: (group: Fields) => boolean,
): Promise<WrittenInParts> {
  const { definition } = context;
  const done: WrittenInParts = { ...before, unchanged: [], rejected: [], hasWritten: false };
  const all: Fields = Object.assign({}, ...groups);
  for (const fields of groups.length > 1 ? [all, ...groups] : groups) {
    try {
      const written = await recordAndWrite(context, originals, fields, done.fields);
      done.fields = { ...done.fields, ...written.fields };
      done.outputs = { ...done.outputs, ...withoutUndefined(written.outputs) };
      done.unchanged.push(...written.unchanged);
      done.hasWritten = true;
      if (fields === all) break;
    } catch (error) {
      if (!(error instanceof WriteFailure)) throw error;
      if (!isValueRejected(error) || (fields !== all && !mayBeRejected(fields))) {
        throw done.hasWritten ? new WriteFailure(error.sent, error.previous, error.cause, true) : error;
      }
      // What differs only in the API's format needs no change.
      const isDifferent = (field: string) =>
        !isSameReturned(definition, field, fields[field], done.fields[field]) &&
        !isEquivalent(definition, field, fields[field], done.fields[field]);
      if (fields !== all) done.rejected.push(...Object.keys(fields).filter(isDifferent));
      done.reason = error.reason;
    }
  }
  return done;
}

/** Groups of one field each. */
export const perField = (fields: Fields): Fields[] =>
  Object.entries(fields).map(([field, value]) => ({ [field]: value }));

/** True if the value is what the API, or the specification, rejects. */
function isValueRejected({ isRejected, cause }: WriteFailure): boolean {
  return (
    isRejected && (cause instanceof InputError || (cause instanceof ApiError && [400, 422].includes(cause.status)))
  );
}

/** True for two returned values that differ only in what varies by itself, if at all. Of copies, that is not known. */
const isSameReturned = (definition: ResourceDefinition, field: string, a: string | undefined, b: string | undefined) =>
  !isCopied(definition, field) &&
  a !== undefined &&
  b !== undefined &&
  valueHash(definition, field, a) === valueHash(definition, field, b);
