/** An update: only fields that are managed and changed are sent, and never over a change that the plan did not show. */
import { WriteFailure } from "../core/failure";
import type { Properties } from "../core/pulumi-values";
import { type Fields, fieldsIn } from "../core/resource-definition";
import { readMaxAge } from "../core/time-limits";
import type { Effect } from "../plan/effect";
import { effectOfUpdate, planUpdate, type UpdatePlan } from "../plan/update-effect";
import type { UnconfirmedWrites } from "../recovery/unconfirmed-writes";
import { DriftDetector } from "../state/drift";
import type { FieldState } from "../state/metadata";
import { changedPictures, recordPictures, withCopies } from "./compare-pictures";
import { accountGoneFailure, objectGoneFailure } from "./gone-failures";
import { readObject } from "./read-object";
import { rejectConflicts } from "./reject-conflicts";
import { type NewState, type ResourceContext, readFields } from "./resource-context";
import { ignoredValue, restoreRejected, unchangedFailure, warnKept, warnReleased } from "./unwritten-fields";
import { perField, type WrittenInParts, writeInParts } from "./write-in-parts";

/** What an update leads to. With a failure the object is not as declared yet. */
interface UpdateOutcome {
  newState: NewState;
  effect: Effect;
  failure?: Error;
}

/**
 * Brings an object to what is declared. `secrets`: the arguments whose values no message shows; undefined for all.
 */
export async function updateObject(
  context: ResourceContext,
  args: Properties,
  declared: Fields,
  secrets: readonly string[] | undefined,
): Promise<UpdateOutcome> {
  const { definition, session, account, key } = context;
  await session.accounts.verifier.verifyBeforeWrite();
  const { hasAccount, item } = await readObject(context, readMaxAge.write);
  if (!hasAccount) throw accountGoneFailure();
  if (item === undefined) throw objectGoneFailure();
  const before = readFields(context, item);
  const { fields: live } = before;
  // What a killed run, or one whose response was lost, has sent; and original values.
  const unconfirmed = await session.ledger.settle(await withCopies(context, before.fields));
  const complete = unconfirmed.object;
  const pictures = await changedPictures(complete, declared);
  const { edition, values } = session.connection.config;
  const keepsOriginals = args.onDelete === "keep";
  const plan = planUpdate(unconfirmed, { declared, live, changedPictures: pictures, keepsOriginals, edition });
  for (const field of plan.released) warnReleased(complete, field, live[field]);
  rejectConflicts(complete, plan.conflicts, live, secrets && { declared, secrets });
  if (Object.keys(plan.sending).length > 0) {
    await definition.guard?.(account, { key, fields: plan.sending, isPreview: false });
  }
  const groups = [plan.sending, ...perField(plan.restoring)].filter((fields) => Object.keys(fields).length > 0);
  const effect = effectOfUpdate(complete.detector, plan, { id: account.id(key), live, onConflict: values.onConflict });
  try {
    const written = await writeInParts(complete, plan.originals, groups, before, (fields) => fields !== plan.sending);
    return { ...(await outcomeOf(complete, plan, declared, live, written)), effect };
  } catch (error) {
    if (!(error instanceof WriteFailure) || error.isRejected) throw error;
    return { newState: unknownOutcome(unconfirmed, plan), effect, failure: error };
  }
}

/** What is recorded of an update with a response. */
async function outcomeOf(
  context: ResourceContext,
  plan: UpdatePlan,
  declared: Fields,
  live: Fields,
  written: WrittenInParts,
): Promise<Omit<UpdateOutcome, "effect">> {
  const { definition, state, detector, metadata, session } = context;
  const fields = { ...plan.fieldStates };
  for (const [field, value] of Object.entries(plan.sending)) {
    const original = plan.originals[field];
    const before = original === undefined ? fields[field] : { ...fields[field], original };
    const next = new DriftDetector(definition, state, { ...fields, ...(before !== undefined && { [field]: before }) });
    fields[field] = next.stateAfterWrite(field, value!, written.fields[field] ?? value!);
  }
  const newState: NewState = {
    displayed: { ...declared },
    outputs: written.outputs,
    metadata: { ...metadata, unconfirmed: undefined, ...(await session.connection.currentAccount()), fields },
  };
  const isDeclared = (field: string) => field in plan.sending;
  const withOriginal = (names: readonly string[]) =>
    warnKept(context, names, (field) => detector.fieldStates[field]?.original ?? null);
  const rejected = withOriginal(written.rejected);
  const unchanged = [
    ...written.unchanged.filter(isDeclared),
    ...withOriginal(written.unchanged.filter((field) => !isDeclared(field))),
  ];
  for (const field of [...unchanged, ...rejected]) {
    // The live value is displayed, so that the next plan has it as a change; the original stays known.
    newState.displayed[field] = written.fields[field] ?? live[field];
    const original = detector.fieldStates[field]?.original ?? plan.originals[field];
    const ignored = written.unchanged.includes(field) ? ignoredValue(definition, field, plan.sending[field]) : {};
    fields[field] = { ...(original !== undefined && { original }), ...ignored };
  }
  if (rejected.length > 0) {
    const failure = restoreRejected(rejected, written);
    if (!written.hasWritten) throw failure;
    return { newState, failure };
  }
  const wasIgnored = (field: string) => {
    const { ignoredHash } = detector.fieldStates[field] ?? {};
    return ignoredHash !== undefined && ignoredHash === fields[field]?.ignoredHash;
  };
  return unchanged.length === 0
    ? { newState: await recordPictures(context, declared, plan.sending, newState) }
    : { newState, failure: unchangedFailure(unchanged, unchanged.filter(wasIgnored)) };
}

/** What is recorded of an update with unknown outcome: the state before it, and what the account may have now. */
function unknownOutcome(writes: UnconfirmedWrites<ResourceContext>, plan: UpdatePlan): NewState {
  const { definition, detector, metadata, state } = writes.object;
  const fields: Record<string, FieldState> = { ...detector.fieldStates };
  for (const [field, original] of Object.entries(plan.originals)) fields[field] = { ...fields[field], original };
  const unconfirmed = writes.fingerprintsWith({ ...plan.sending, ...plan.restoring });
  return {
    displayed: Object.fromEntries(
      fieldsIn(definition, state).map((field) => [field, state[field] as string | undefined]),
    ),
    outputs: {},
    metadata: { ...metadata, fields, unconfirmed },
  };
}
