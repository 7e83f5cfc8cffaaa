/** An update: only fields that are managed and changed are sent, and never over a change that the plan did not show. */

import { Failure, WriteFailure } from "../core/failure";
import type { Properties } from "../core/pulumi-values";
import type { Fields } from "../core/resource-definition";
import { accountExists } from "../resources/company";
import { writeMaxAge } from "../session/account";
import { DriftDetector, isEquivalent } from "../state/drift";
import type { FieldState } from "../state/metadata";
import { type JournalEntry, mergeEntries, type Originals } from "../state/originals-journal";
import type { NewState, ResourceContext } from "./context";
import { fingerprintsOf, isOwnWrite, reconcile } from "./unconfirmed-writes";
import {
  perField,
  rejectConflicts,
  restoreRejected,
  unchangedFailure,
  type WrittenInParts,
  warnKept,
  writeInParts,
} from "./write-fields";

/** What an update sends. */
interface Plan {
  /** What is declared. */
  sending: Fields;
  /** What was there before, for what is not declared any more; nothing is an empty text. */
  restoring: Fields;
  /** What is there before the first change of a field. */
  originals: Originals;
  /** What is remembered of the fields that nothing is sent of. */
  traces: Record<string, FieldState>;
}

/** Brings an object to what is wanted. `live` is filled with what it was like before, for messages. */
export async function updateObject(
  context: ResourceContext,
  args: Properties,
  wanted: Fields,
  live: Fields,
): Promise<{ change: NewState; failure?: Failure }> {
  const { definition, session, account, key } = context;
  await session.accountVerifier.verifyBeforeWrite();
  if (!(await accountExists(account))) {
    throw new Failure(
      "the company that it is in is gone; run `refresh`, then `up` makes anew what the program declares",
    );
  }
  const item = await definition.read(account, key, writeMaxAge);
  if (item === undefined) throw new Failure("it is gone from the account; run `refresh`, then `up` makes it anew");
  const before = definition.fromApi(item);
  Object.assign(live, before.fields);
  // What was sent by a run that was killed, or whose answer was lost, and what was there before.
  const remembered = await reconcile(context);
  const known = { ...context, detector: context.detector.withOriginals(remembered.originals, remembered.transferred) };
  const plan = planOf(known, remembered, wanted, live, args.onDelete === "keep");
  const groups = [plan.sending, ...perField(plan.restoring)].filter((fields) => Object.keys(fields).length > 0);
  try {
    const written = await writeInParts(known, plan.originals, groups, before, (fields) => fields !== plan.sending);
    return await outcomeOf(known, plan, wanted, live, written);
  } catch (error) {
    if (!(error instanceof WriteFailure) || error.isRejected) throw error;
    return { change: outcomeUnknown(known, plan, remembered, live), failure: error };
  }
}

function planOf(
  context: ResourceContext,
  { sentFingerprints }: JournalEntry,
  wanted: Fields,
  live: Fields,
  isKept: boolean,
): Plan {
  const { definition, detector, state } = context;
  const isSingleton = definition.collection === undefined;
  const plan: Plan = { sending: {}, restoring: {}, originals: {}, traces: { ...detector.fieldStates } };
  const conflicts: string[] = [];
  for (const field of definition.fields) {
    const declared = detector.declared(field);
    const original = detector.fieldStates[field]?.original;
    const isInDoubt = field in sentFingerprints;
    // Of what is not declared yet nothing is shown, and what is there is kept as the original. One copy of a logo cannot be told from another.
    const isRecognised = isSingleton && isInDoubt && !definition.serverCopied?.includes(field);
    const isNew = declared === undefined && !isRecognised;
    const isShown =
      isNew ||
      (declared === undefined ? (original ?? "") === (live[field] ?? "") : detector.matchesState(field, live[field]));
    const value = wanted[field];
    if (value === undefined) {
      if (declared === undefined && !isInDoubt) continue;
      delete plan.traces[field];
      const former = isSingleton && !isKept ? originalOf(context, field, live[field]) : undefined;
      if (former === undefined || former === (live[field] ?? "")) continue;
      plan.restoring[field] = former;
    } else if (isEquivalent(definition, field, value, live[field])) {
      // Already so: written by a run whose answer was lost, or by hand.
      const isChanged = isSingleton && declared !== undefined && !isEquivalent(definition, field, value, declared);
      plan.traces[field] = {
        // What was taken over as it was declared was there before.
        ...(isChanged && { original: declared }),
        ...detector.stateAfterWrite(field, value, live[field]!),
      };
      continue;
    } else if (
      declared !== undefined &&
      isEquivalent(definition, field, value, state[field] as string | undefined) &&
      (isShown || !isInDoubt)
    ) {
      // The plan shows no change of this field: whatever it is now, the next refresh will say so.
      continue;
    } else {
      plan.sending[field] = value;
      if (isSingleton && original === undefined) {
        // What was taken over as it was declared is changed for the first time: that was there before.
        const present = declared === undefined || detector.matchesApplied(field, live[field]) ? live[field] : declared;
        plan.originals[field] = present ?? null;
      }
    }
    if (!isShown && !isOwnWrite(context, sentFingerprints, field, live[field])) conflicts.push(field);
  }
  rejectConflicts(context, conflicts, live);
  return plan;
}

/** What is recorded of an update that was answered. */
async function outcomeOf(
  context: ResourceContext,
  plan: Plan,
  wanted: Fields,
  live: Fields,
  written: WrittenInParts,
): Promise<{ change: NewState; failure?: Failure }> {
  const { definition, state, detector, metadata, session } = context;
  const { originals } = plan;
  const traces = { ...plan.traces };
  const { unconfirmed: _, ...known } = metadata;
  for (const [field, value] of Object.entries(plan.sending)) {
    const former = field in originals ? { ...traces[field], original: originals[field]! } : traces[field];
    const next = new DriftDetector(definition, state, { ...traces, ...(former !== undefined && { [field]: former }) });
    traces[field] = next.stateAfterWrite(field, value!, written.fields[field] ?? value!);
  }
  const change: NewState = {
    displayed: { ...wanted },
    outputs: written.outputs,
    metadata: { ...known, keyFingerprint: await session.fingerprint(), fields: traces },
  };
  const isDeclared = (field: string) => field in plan.sending;
  const stillThere = (fields: readonly string[]) =>
    warnKept(context, fields, (field) => detector.fieldStates[field]?.original ?? null);
  const refused = stillThere(written.rejected);
  const unmoved = [
    ...written.unchanged.filter(isDeclared),
    ...stillThere(written.unchanged.filter((field) => !isDeclared(field))),
  ];
  for (const field of [...unmoved, ...refused]) {
    // What is there is shown, so that the next plan has it as a change; what was there at first stays known.
    change.displayed[field] = written.fields[field] ?? live[field];
    const original = detector.fieldStates[field]?.original ?? originals[field];
    traces[field] = original === undefined ? {} : { original };
  }
  if (refused.length > 0) {
    const failure = restoreRejected(refused, written);
    if (!written.hasWritten) throw failure;
    return { change, failure };
  }
  return { change, ...(unmoved.length > 0 && { failure: unchangedFailure(unmoved) }) };
}

/** What is recorded of an update whose outcome is not known: all is as it was, and besides what the account may have now. */
function outcomeUnknown(
  context: ResourceContext,
  { sending, restoring, originals }: Plan,
  remembered: JournalEntry,
  live: Fields,
): NewState {
  const { definition, detector, metadata, state } = context;
  const fields: Record<string, FieldState> = { ...detector.fieldStates };
  for (const [field, original] of Object.entries(originals)) fields[field] = { ...fields[field], original };
  const sent = fingerprintsOf(context, { ...sending, ...restoring }, live);
  return {
    displayed: Object.fromEntries(definition.fields.map((field) => [field, state[field] as string | undefined])),
    outputs: {},
    metadata: {
      ...metadata,
      fields,
      unconfirmed: mergeEntries([remembered, { originals: {}, sentFingerprints: sent }]).sentFingerprints,
    },
  };
}

/** What to put back for a field that is no longer declared. */
function originalOf(
  { definition, session, account, key, detector }: ResourceContext,
  field: string,
  live: string | undefined,
) {
  const { original } = detector.fieldStates[field] ?? {};
  if (typeof original === "string") return original;
  if (original === null && definition.clearable?.includes(field)) return "";
  if (live !== undefined) {
    const why =
      original === null ? "there was nothing before, which cannot be put back" : "what was there before is not known";
    session.log(`${definition.kind} ${account.id(key)}: ${field} is no longer declared and stays as it is (${why})`);
  }
  return undefined;
}
