/** Writing: after the journal has what was there before, and in parts where the service refuses what is put back. */
import { ApiError, InputError } from "../../sdk/errors";
import { Failure, WriteFailure } from "../core/failure";
import { hashOf } from "../core/hash";
import type { Properties } from "../core/pulumi-values";
import type { Fields } from "../core/resource-definition";
import { isEquivalent, valueHash } from "../state/drift";
import type { Originals } from "../state/originals-journal";
import type { ResourceContext, WriteContext } from "./context";
import { fingerprintsOf, withJournal } from "./unconfirmed-writes";

interface Written {
  fields: Fields;
  outputs: Properties;
  /** Fields that are still as they were before, although the service said success. */
  unchanged: string[];
}

/** Sends the fields, after the journal has what was there before. */
export function writeWithJournal(
  place: WriteContext,
  originals: Originals,
  sending: Fields,
  before: Fields,
): Promise<Written> {
  return withJournal(place, originals, fingerprintsOf(place, sending, before), () => write(place, sending, before));
}

/** Sends the fields; what the answer does not tell is read back. Throws a {@link WriteFailure}. */
export async function write(
  { definition, session, account, key }: Pick<WriteContext, "definition" | "session" | "account" | "key">,
  sending: Fields,
  before: Fields,
): Promise<Written> {
  const sent = Object.keys(sending);
  const failed = (isDone: boolean) => (error: unknown) => {
    throw new WriteFailure(sending, before, error, isDone);
  };
  const form = definition.toApi(sending);
  const answer = definition.fromApi(
    await definition.update(account, key, form).catch(async (error) => {
      // Some services refuse what changes nothing, and so the repetition of what an attempt without an answer has done.
      const item = mayHaveBeenDone(error) ? await definition.read(account, key, 0).catch(() => undefined) : undefined;
      const { fields: now } = item === undefined ? { fields: {} as Fields } : definition.fromApi(item);
      if (item !== undefined && sent.every((field) => isThere(definition, field, sending[field], now[field], before)))
        return item;
      return failed(false)(error);
    }),
  );
  const given = Object.fromEntries(Object.entries(answer.fields).filter(([, value]) => value !== undefined));
  const isAsBefore = (field: string, now: string | undefined) =>
    now === before[field] && !isEquivalent(definition, field, sending[field], now);
  // A copy may have the address that is there already, but only if the answer says so.
  const isMoved = (field: string, now: string | undefined) =>
    !isAsBefore(field, now) ||
    isRewritten(definition, field, sending[field]!, now) ||
    (isServerCopied(definition, field) && field in given);
  const told = (fields: Fields, outputs: Properties): Written => {
    for (const field of sent.filter((field) => isTruncated(definition, field, sending[field]!, fields[field]))) {
      session.log(
        `${definition.kind} ${account.id(key)}: ${field}: the service has kept the beginning alone (${fields[field]!.length} of ${sending[field]!.length} characters); declare a shorter one`,
      );
    }
    return { fields, outputs, unchanged: sent.filter((field) => !isMoved(field, fields[field])) };
  };
  // Some services answer an update with the record of before.
  const doubtful = sent.filter((field) => field in given && isAsBefore(field, given[field]));
  if (doubtful.length === 0 && sent.every((field) => field in given)) return told(answer.fields, answer.outputs);
  const item = await definition.read(account, key, 0).catch(failed(true));
  const found = item === undefined ? { fields: {} as Fields, outputs: {} } : definition.fromApi(item);
  const believed = Object.entries(given).filter(
    ([field]) => !doubtful.includes(field) || found.fields[field] === undefined,
  );
  const outputs =
    doubtful.length > 0 ? { ...answer.outputs, ...found.outputs } : { ...found.outputs, ...answer.outputs };
  return told({ ...found.fields, ...Object.fromEntries(believed) }, outputs);
}

/** What was written where some of it may be refused. */
export interface WrittenInParts extends Written {
  /** Fields that the service did not take, and why. */
  rejected: string[];
  reason?: string;
  /** True when something was carried out. */
  hasWritten: boolean;
}

/**
 * Writes groups of fields: together, and where a value is refused, one group after the other, so that what the service does not
 * take back (such as the address of a standard logo) holds up nothing else. Groups that are not borne must be taken.
 */
export async function writeInParts(
  place: WriteContext,
  originals: Originals,
  groups: readonly Fields[],
  before: Pick<Written, "fields" | "outputs">,
  mayBeRejected: (group: Fields) => boolean,
): Promise<WrittenInParts> {
  const done: WrittenInParts = { ...before, unchanged: [], rejected: [], hasWritten: false };
  const all: Fields = Object.assign({}, ...groups);
  for (const fields of groups.length > 1 ? [all, ...groups] : groups) {
    try {
      const written = await writeWithJournal(place, originals, fields, done.fields);
      const given = Object.entries(written.outputs).filter(([, value]) => value !== undefined);
      done.fields = { ...done.fields, ...written.fields };
      done.outputs = { ...done.outputs, ...Object.fromEntries(given) };
      done.unchanged.push(...written.unchanged);
      done.hasWritten = true;
      if (fields === all) break;
    } catch (error) {
      if (!(error instanceof WriteFailure)) throw error;
      if (!isNotTaken(error) || (fields !== all && !mayBeRejected(fields)))
        throw done.hasWritten ? new WriteFailure(error.sent, error.previous, error.cause, true) : error;
      // What differs in the service's notation alone is nothing to change.
      const isLacking = (field: string) =>
        !isSameAnswer(place.definition, field, fields[field], done.fields[field]) &&
        !isEquivalent(place.definition, field, fields[field], done.fields[field]);
      if (fields !== all) done.rejected.push(...Object.keys(fields).filter(isLacking));
      done.reason = error.reason;
    }
  }
  return done;
}

/** Groups of one field each. */
export const perField = (fields: Fields): Fields[] =>
  Object.entries(fields).map(([field, value]) => ({ [field]: value }));

/** True when the value is what the service, or the specification, objects to. */
function isNotTaken({ isRejected, cause }: WriteFailure): boolean {
  const isOfValue =
    cause instanceof InputError || (cause instanceof ApiError && (cause.status === 400 || cause.status === 422));
  return isRejected && isOfValue;
}

/** Says which fields that were not put back stay because there was nothing before: no failure. Answers the others. */
export function warnKept(
  { definition, session, account, key }: ResourceContext,
  fields: readonly string[],
  originalOf: (field: string) => string | null,
): string[] {
  const staying = fields.filter((field) => !originalOf(field));
  const why = "there was nothing before, and the service does not take that back";
  for (const field of staying) session.log(`${definition.kind} ${account.id(key)}: ${field} stays as it is: ${why}`);
  return fields.filter((field) => !staying.includes(field));
}

export function restoreRejected(rejected: readonly string[], { reason, hasWritten }: WrittenInParts): Failure {
  return new Failure(
    `${rejected.join(", ")}: the service does not take back what was there before (${reason}). ${hasWritten ? "The rest was done" : "Nothing was changed"}. Put it back in the service's own pages, or run \`up\` with onDelete: "keep"; then run the same command again`,
  );
}

/** True for an answer to the repetition of a request that was sent before, and got no answer then. */
const mayHaveBeenDone = (error: unknown) =>
  error instanceof ApiError && error.mayHaveSucceeded && [400, 409, 422].includes(error.status);

/** True when a value that was sent is what the account has now: as it was sent, or as the service's own copy of it. */
function isThere(
  definition: ResourceContext["definition"],
  field: string,
  sent: string | undefined,
  now: string | undefined,
  before: Fields,
): boolean {
  if (isEquivalent(definition, field, sent, now) || isRewritten(definition, field, sent!, now)) return true;
  return now !== undefined && !isSameAnswer(definition, field, before[field], now) && isServerCopied(definition, field);
}

const isServerCopied = ({ serverCopied = [] }: ResourceContext["definition"], field: string) =>
  serverCopied.includes(field);

/** True for two answers that differ in what changes by itself, if in anything. */
const isSameAnswer = (
  definition: ResourceContext["definition"],
  field: string,
  a: string | undefined,
  b: string | undefined,
) => a !== undefined && b !== undefined && valueHash(definition, field, a) === valueHash(definition, field, b);

/** True when a value is the one that was sent, as the service writes it. */
function isRewritten(
  { normalizeLoose }: ResourceContext["definition"],
  field: string,
  sent: string,
  now: string | undefined,
): boolean {
  return (
    normalizeLoose !== undefined && now !== undefined && normalizeLoose(field, sent) === normalizeLoose(field, now)
  );
}

/** True when a value that was sent lacks its end. No failure: the service may have taken something off that is of no matter. */
function isTruncated(
  { normalizeLoose }: ResourceContext["definition"],
  field: string,
  sent: string,
  now: string | undefined,
): boolean {
  if (normalizeLoose === undefined || !now) return false;
  const [whole, kept] = [normalizeLoose(field, sent), normalizeLoose(field, now)];
  return kept !== "" && kept.length < whole.length && whole.startsWith(kept);
}

export const unchangedFailure = (fields: readonly string[]) =>
  new Failure(
    `${fields.join(", ")}: the service said success and kept the value that was there before. If it does so again, ask its support: it does not take this value`,
  );

/** Keeps what is in the account and no plan has shown. Both versions are told apart by length and hash: the values may be secret. */
export function rejectConflicts({ session, detector, state }: ResourceContext, fields: string[], live: Fields): void {
  if (fields.length === 0 || session.settings.onConflict === "overwrite") return;
  const version = (value: string | undefined) =>
    value === undefined ? "nothing" : `${value.length} characters, hash ${hashOf(value)}`;
  const told = fields.map((field) => {
    const recorded = (state[field] as string | undefined) ?? detector.declared(field);
    return `${field} (in the state: ${version(recorded)}; in the account now: ${version(live[field])})`;
  });
  throw new Failure(
    `what this would overwrite is not as the state has it: ${told.join(", ")}. Either somebody has changed it, or an update of this stack whose answer was lost. Run \`refresh\` and look at the plan again, or set \`esign:onConflict\` (or ESIGN_ON_CONFLICT in the environment) to overwrite`,
  );
}
