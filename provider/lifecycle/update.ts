/** An update: only fields that are managed and changed are sent, and never over a change that the plan did not show. */
import { Failure, WriteFailure } from "../core/failure";
import type { Properties } from "../core/pulumi-values";
import { type Fields, isSingleton } from "../core/resource-definition";
import { accountExists } from "../resources/company";
import { writeMaxAge } from "../session/account";
import { DriftDetector, isEquivalent } from "../state/drift";
import type { FieldState } from "../state/metadata";
import { type JournalEntry, mergeEntries, type Originals } from "../state/originals-journal";
import { classifyField } from "./classify-field";
import { logAbout, type NewState, type ResourceContext } from "./resource-context";
import { fingerprintsOf, isOwnWrite, isServerCopied, reconcile } from "./unconfirmed-writes";
import {
  emptyOriginal,
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
  /** Declared values. */
  sending: Fields;
  /** Original values of what is not declared any more; an empty string clears the field. */
  restoring: Fields;
  /** The values before the first change of a field. */
  originals: Originals;
  /** What is recorded of the other fields. */
  fieldStates: Record<string, FieldState>;
}

/** What an update leads to. With a failure the object is not as declared yet. */
interface UpdateOutcome {
  newState: NewState;
  failure?: Error;
}

/** Brings an object to what is declared. `live` is filled with its values before that, for messages. */
export async function updateObject(
  context: ResourceContext,
  args: Properties,
  declared: Fields,
  live: Fields,
): Promise<UpdateOutcome> {
  const { definition, session, account, key } = context;
  await session.accountVerifier.verifyBeforeWrite();
  if (!(await accountExists(account))) throw accountGone();
  const item = await definition.read(account, key, writeMaxAge);
  if (item === undefined) throw objectGone();
  const before = definition.fromApi(item);
  Object.assign(live, before.fields);
  // What a killed run, or one whose response was lost, has sent; and original values.
  const journal = await reconcile(context);
  const complete = {
    ...context,
    detector: context.detector.withOriginals(journal.originals, journal.transferred),
  };
  const plan = planUpdate(complete, journal, declared, live, args.onDelete === "keep");
  const groups = [plan.sending, ...perField(plan.restoring)].filter((fields) => Object.keys(fields).length > 0);
  try {
    const written = await writeInParts(complete, plan.originals, groups, before, (fields) => fields !== plan.sending);
    return await outcomeOf(complete, plan, declared, live, written);
  } catch (error) {
    if (!(error instanceof WriteFailure) || error.isRejected) throw error;
    return { newState: unknownOutcome(complete, plan, journal, live), failure: error };
  }
}

function planUpdate(
  context: ResourceContext,
  { sentFingerprints: sent }: JournalEntry,
  declared: Fields,
  live: Fields,
  keepsOriginals: boolean,
): Plan {
  const { definition, detector, state } = context;
  const plan: Plan = { sending: {}, restoring: {}, originals: {}, fieldStates: { ...detector.fieldStates } };
  const conflicts: string[] = [];
  for (const field of definition.fields) {
    const value = declared[field];
    const before = detector.declared(field);
    const isUnconfirmed = field in sent;
    const isExpected = isLiveValueExpected(context, field, live[field], isUnconfirmed);
    const original = isSingleton(definition) && !keepsOriginals ? originalToRestore(context, field) : undefined;
    const action = classifyField({
      isDeclared: value !== undefined,
      wasDeclared: before !== undefined,
      isUnconfirmed,
      isLive: isEquivalent(definition, field, value, live[field]),
      isDisplayed: isEquivalent(definition, field, value, state[field] as string | undefined),
      isExpected,
      needsRestore: original !== undefined && original !== (live[field] ?? ""),
    });
    if (action === "release" || action === "restore") delete plan.fieldStates[field];
    if (action === "release" && !keepsOriginals && original === undefined) warnReleased(context, field, live[field]);
    if (action === "restore") plan.restoring[field] = original;
    if (action === "record") plan.fieldStates[field] = recordLive(context, field, value!, live[field]!);
    if (action === "write") {
      plan.sending[field] = value;
      if (isSingleton(definition) && detector.fieldStates[field]?.original === undefined) {
        // What was adopted as declared changes for the first time: that value is the original.
        const isCurrent = before === undefined || detector.matchesApplied(field, live[field]);
        plan.originals[field] = (isCurrent ? live[field] : before) ?? null;
      }
    }
    const isOverwritten = action === "write" || action === "restore";
    if (isOverwritten && !isExpected && !isOwnWrite(context, sent, field, live[field])) conflicts.push(field);
  }
  rejectConflicts(context, conflicts, live);
  return plan;
}

/** True if the plan has shown the live value. Of a field that is not declared yet nothing is shown, and its value is kept as the original. */
function isLiveValueExpected(
  { definition, detector }: ResourceContext,
  field: string,
  live: string | undefined,
  isUnconfirmed: boolean,
): boolean {
  if (detector.declared(field) !== undefined) return detector.matchesState(field, live);
  // One copy of a logo cannot be distinguished from another.
  const isRecognisable = isSingleton(definition) && isUnconfirmed && !isServerCopied(definition, field);
  return !isRecognisable || (detector.fieldStates[field]?.original ?? "") === (live ?? "");
}

function recordLive({ definition, detector }: ResourceContext, field: string, value: string, live: string): FieldState {
  const before = detector.declared(field);
  const isChanged = isSingleton(definition) && before !== undefined && !isEquivalent(definition, field, value, before);
  // What was adopted as declared is the original.
  return { ...(isChanged && { original: before }), ...detector.stateAfterWrite(field, value, live) };
}

/** The value to write for a field that is not declared any more. */
function originalToRestore({ definition, detector }: ResourceContext, field: string): string | undefined {
  const { original } = detector.fieldStates[field] ?? {};
  if (original === null) return definition.clearable?.includes(field) ? "" : undefined;
  return original;
}

function warnReleased(context: ResourceContext, field: string, live: string | undefined): void {
  if (!isSingleton(context.definition) || live === undefined) return;
  const isEmpty = context.detector.fieldStates[field]?.original === null;
  const reason = isEmpty ? emptyOriginal : "the original value is not known";
  logAbout(context, `${field} is no longer declared and left unchanged: ${reason}`);
}

/** What is recorded of an update with a response. */
async function outcomeOf(
  context: ResourceContext,
  plan: Plan,
  declared: Fields,
  live: Fields,
  written: WrittenInParts,
): Promise<UpdateOutcome> {
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
    metadata: { ...metadata, unconfirmed: undefined, keyFingerprint: await session.fingerprint(), fields },
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
    fields[field] = original === undefined ? {} : { original };
  }
  if (rejected.length > 0) {
    const failure = restoreRejected(rejected, written);
    if (!written.hasWritten) throw failure;
    return { newState, failure };
  }
  return unchanged.length > 0 ? { newState, failure: unchangedFailure(unchanged) } : { newState };
}

/** What is recorded of an update with unknown outcome: the state before it, and what the account may have now. */
function unknownOutcome(context: ResourceContext, plan: Plan, journal: JournalEntry, live: Fields): NewState {
  const { definition, detector, metadata, state } = context;
  const fields: Record<string, FieldState> = { ...detector.fieldStates };
  for (const [field, original] of Object.entries(plan.originals)) fields[field] = { ...fields[field], original };
  const sentFingerprints = fingerprintsOf(context, { ...plan.sending, ...plan.restoring }, live);
  const unconfirmed = mergeEntries([journal, { originals: {}, sentFingerprints }]).sentFingerprints;
  return {
    displayed: Object.fromEntries(definition.fields.map((field) => [field, state[field] as string | undefined])),
    outputs: {},
    metadata: { ...metadata, fields, unconfirmed },
  };
}

const accountGone = () =>
  new Failure(
    "ESIGN1022",
    "the company that it belongs to no longer exists",
    "Refresh, then run `up` to recreate what the program declares",
  );

const objectGone = () =>
  new Failure("ESIGN1021", "it no longer exists in the account", "Refresh, then run `up` to recreate it");
