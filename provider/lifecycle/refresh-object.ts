/** Refreshes a resource: reads its object and records what changed. */
import type { Properties } from "../core/pulumi-values";
import {
  type Fields,
  fieldsIn,
  isCopied,
  isSingleton,
  pickArguments,
  type ResourceDefinition,
} from "../core/resource-definition";
import { readMaxAge } from "../core/time-limits";
import { DriftDetector, detectDrift, isEquivalent } from "../state/drift";
import type { Metadata, RecordedAccount } from "../state/metadata";
import { logOtherCopies, withCopies, withImportedCopies } from "./compare-pictures";
import { readObject } from "./read-object";
import { type NewState, type ResourceContext, readFields } from "./resource-context";

/** The arguments besides the fields, and the new state: a field that has drifted displays its live value. */
export async function refreshObject(
  context: ResourceContext,
  item: unknown,
): Promise<{ args: Properties; newState: NewState }> {
  const { definition, session, account, key, state } = context;
  const { fields: live, outputs } = readFields(context, item);
  await session.accounts.verifier.verify(context.metadata);
  const seen = await withCopies(context, live, { saysWhy: true });
  const unconfirmed = await session.ledger.settle(seen, { isRead: true });
  const { metadata } = unconfirmed.object;
  const detector = detectorFor(unconfirmed.object, live);
  const { displayed, fieldStates } = detectDrift(detector, live);
  logOtherCopies(context, detector, live);
  const args: Properties = {
    ...definition.argsFromKey?.(key),
    ...(account.companyId !== undefined && { account: account.companyId }),
    ...pickArguments(definition, state),
  };
  for (const field of fieldsIn(definition, args)) delete args[field];
  const newMetadata: Metadata = {
    ...metadata,
    ...(await accountIn(context)),
    fields: fieldStates,
    unconfirmed: unconfirmed.fingerprintsAfterRefresh(live),
  };
  const newState = { displayed, outputs: withRecordedCopies(definition, outputs, state), metadata: newMetadata };
  return { args, newState: await withImportedCopies(context, live, newState) };
}

/**
 * The account to record. Of what is read by its id no address is recorded, so a refresh of it changes nothing; a write records it.
 */
async function accountIn({ session, metadata }: ResourceContext): Promise<RecordedAccount> {
  const { keyFingerprint, address } = await session.connection.currentAccount();
  const isSameKey = metadata.keyFingerprint === undefined || metadata.keyFingerprint === keyFingerprint;
  return { keyFingerprint, address: isSameKey && metadata.address === undefined ? undefined : address };
}

/** Outputs without another address of a copy than the recorded one, which is no change. A write renews it. */
function withRecordedCopies({ fields }: ResourceDefinition, outputs: Properties, state: Properties): Properties {
  const copies = Object.values(fields).flatMap(({ copiedTo }) => copiedTo ?? []);
  const recorded = copies.filter((name) => outputs[name] && state[name]);
  return { ...outputs, ...Object.fromEntries(recorded.map((name) => [name, state[name]])) };
}

/** An object that is read by its id alone manages every field that it has. */
function detectorFor({ definition, state, detector }: ResourceContext, live: Fields): DriftDetector {
  return detector.managedFields.length > 0
    ? detector
    : new DriftDetector(definition, { ...state, ...live }, detector.fieldStates, detector.copies);
}

/** True if an object has a value that this stack has sent and its state does not include. A copy proves nothing. */
async function hasOwnWrite(context: ResourceContext, live: Fields): Promise<boolean> {
  const unconfirmed = await context.session.ledger.readUnconfirmed(context);
  return Object.keys(unconfirmed.sent).some(
    (field) => !isCopied(context.definition, field) && unconfirmed.isOwn(field, live[field]),
  );
}

/** True if the account has the object as the state records it, or as an update whose response was lost has declared it. */
export async function isAsRecorded(context: ResourceContext, declared: Fields): Promise<boolean> {
  const { definition, detector } = context;
  const { item } = await readObject(context, readMaxAge.refresh);
  if (item === undefined) return false;
  const { fields: live } = readFields(context, item);
  const matches = (field: string) => detector.matchesApplied(field, live[field]);
  if (isSingleton(definition)) {
    // That there is a copy of some file proves nothing.
    const fields = detector.managedFields.filter((field) => !isCopied(definition, field));
    return fields.some(matches) || hasOwnWrite(context, live);
  }
  const isDeclared = (field: string) =>
    live[field] !== undefined && isEquivalent(definition, field, declared[field], live[field]);
  return detector.managedFields.every((field) => matches(field) || isDeclared(field));
}
