/** Reads an object of the state. If it was written recently, waits until the read shows it, since reads may lag behind writes. */
import { readUntil } from "../core/read-until";
import { accountExists } from "../resources/partner-companies";
import { isEquivalent } from "../state/drift";
import { withCopies } from "./compare-pictures";
import { type ResourceContext, readFields } from "./resource-context";

/** The object as the API returns it; undefined if it no longer exists. `hasAccount`: false if its subaccount does not, either. */
export interface ReadObject {
  hasAccount: boolean;
  item: unknown;
}

/** `maxAge`: in milliseconds, of what was read before. */
export async function readObject(context: ResourceContext, maxAge: number): Promise<ReadObject> {
  const { definition, session, account, key, metadata } = context;
  if (!(await accountExists(account, metadata.madeAt))) return { hasAccount: false, item: undefined };
  const { madeAt, writtenAt = madeAt } = metadata;
  definition.collection?.objects(account).recent.note(key, madeAt);
  const item = await readUntil(
    {
      clock: session.run.clock,
      left: writtenAt === undefined ? 0 : session.run.recent.timeLeft(writtenAt),
      what: "the account, which does not show yet what was just written",
      read: (age) => definition.read(account, key, age),
      // Whether one exists is waited for where it is read.
      isShown: (value) => value === undefined || isAsWritten(context, value),
    },
    maxAge,
  );
  return { hasAccount: true, item };
}

/** True if each field has the value of the last write, or the one that a refresh has found since. */
async function isAsWritten(context: ResourceContext, item: unknown): Promise<boolean> {
  const { definition, metadata } = context;
  const { fields: live } = readFields(context, item);
  const { detector } = await withCopies(context, live);
  return detector.managedFields.every(
    (field) =>
      metadata.unconfirmed?.[field] !== undefined ||
      detector.matchesApplied(field, live[field]) ||
      detector.matchesState(field, live[field]) ||
      isEquivalent(definition, field, detector.declared(field), live[field]),
  );
}
