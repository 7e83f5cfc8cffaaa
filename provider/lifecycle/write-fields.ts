/** Writes fields of an object. If the API rejects an original value, the fields are written in several requests. */

import { fieldOf } from "../../definitions/field";
import { ApiError, InputError } from "../../sdk/errors";
import { WriteFailure } from "../core/failure";
import { type Properties, withoutUndefined } from "../core/pulumi-values";
import { readUntil } from "../core/read-until";
import { type Fields, isCopied, type ResourceDefinition } from "../core/resource-definition";
import { longestLag } from "../core/time-limits";
import { isEquivalent, valueHash } from "../state/drift";
import type { Originals } from "../state/metadata";
import type { WriteContext } from "./resource-context";
import { warnTruncated } from "./unwritten-fields";

export interface Written {
  fields: Fields;
  outputs: Properties;
  /** Fields that still have their previous value, although the API reported success. */
  unchanged: string[];
}

/** Writes after the journal has the original values. */
export function writeWithJournal(
  context: WriteContext,
  originals: Originals,
  sending: Fields,
  previous: Fields,
): Promise<Written> {
  return context.session.ledger.write(context, { originals, sending }, () => write(context, sending, previous));
}

/**
 * Writes the fields, and reads back what the response lacks.
 * @throws {WriteFailure}
 */
export async function write(context: WriteContext, sending: Fields, previous: Fields): Promise<Written> {
  const { definition, account, key } = context;
  const sent = Object.keys(sending);
  const response = definition.fromApi(await send(context, sending, previous));
  const returned = withoutUndefined(response.fields);
  // Some services answer an update with the record from before it. A copy may have the previous address.
  const isPrevious = (field: string, now: string | undefined) =>
    isCopied(definition, field)
      ? valueHash(definition, field, now ?? "") !== valueHash(definition, field, sending[field] ?? "")
      : now === previous[field] && !isEquivalent(definition, field, sending[field], now);
  const suspicious = sent.filter((field) => field in returned && isPrevious(field, returned[field]));
  let { fields, outputs } = response;
  if (suspicious.length > 0 || sent.some((field) => !(field in returned))) {
    const isShown = (item: unknown) => {
      const { fields: now } = definition.fromApi(item);
      return sent.every((field) => isCopied(definition, field) || !isPrevious(field, now[field]));
    };
    const lagging = {
      clock: context.session.run.clock,
      left: longestLag,
      what: "the account, which does not show yet what was just written",
      read: (age: number) => definition.read(account, key, age),
      isShown: (item: unknown) => item === undefined || isShown(item),
    };
    const item = await readUntil(lagging, 0).catch((error) => {
      throw new WriteFailure(sending, previous, error, true);
    });
    const read = item === undefined ? { fields: {} as Fields, outputs: {} } : definition.fromApi(item);
    const trusted = Object.entries(returned).filter(
      ([field]) => !suspicious.includes(field) || read.fields[field] === undefined,
    );
    fields = { ...read.fields, ...Object.fromEntries(trusted) };
    outputs =
      suspicious.length > 0 ? { ...response.outputs, ...read.outputs } : { ...read.outputs, ...response.outputs };
  }
  const isUnchanged = (field: string) =>
    !(fields[field] === undefined && definition.sometimesReturned.includes(field)) &&
    isPrevious(field, fields[field]) &&
    !isRewritten(definition, field, sending[field]!, fields[field]);
  warnTruncated(context, sending, fields);
  return { fields, outputs, unchanged: sent.filter(isUnchanged) };
}

/** Sends the update. Some services reject what changes nothing, and so the retry of a request that was applied without a response. */
async function send(context: WriteContext, sending: Fields, previous: Fields): Promise<unknown> {
  const { definition, account, key, writes } = context;
  try {
    writes.count++;
    return await definition.update(account, key, definition.toApi(sending));
  } catch (error) {
    if (wasRetried(error)) {
      const item = await definition.read(account, key, 0).catch(() => undefined);
      const now: Fields = item === undefined ? {} : definition.fromApi(item).fields;
      const isApplied = ([field, value]: [string, string | undefined]) =>
        isEquivalent(definition, field, value, now[field]) || isRewritten(definition, field, value!, now[field]);
      if (item !== undefined && Object.entries(sending).every(isApplied)) return item;
    }
    throw new WriteFailure(sending, previous, error);
  }
}

/** True for the response to a retry, after the first request got none. */
const wasRetried = (error: unknown) =>
  error instanceof ApiError && error.mayHaveSucceeded && [400, 409, 422].includes(error.status);

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
      const written = await writeWithJournal(context, originals, fields, done.fields);
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

/** True if a value is the one that was sent, in the API's format. */
function isRewritten(definition: ResourceDefinition, field: string, sent: string, now: string | undefined): boolean {
  const { normalizeLoose } = fieldOf(definition, field) ?? {};
  return normalizeLoose !== undefined && now !== undefined && normalizeLoose(sent) === normalizeLoose(now);
}
