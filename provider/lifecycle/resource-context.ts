/** What the functions of a resource's lifecycle pass to one another: an object, its account, its state and the run. */

import { randomBytes } from "node:crypto";
import { splitId } from "../../definitions/object-id";
import type { Properties } from "../core/pulumi-values";
import { type Fields, pickFields, type ResourceDefinition } from "../core/resource-definition";
import type { Effect } from "../plan/effect";
import type { WrittenObject } from "../recovery/unconfirmed-writes";
import type { Account } from "../session/account";
import type { Session } from "../session/session";
import { DriftDetector } from "../state/drift";
import { decodeMetadata, invalidState, type Metadata } from "../state/metadata";
import type { FormerInstance } from "./former-instance";
import { problemOfId } from "./validate-id";

/** An object that may be written. */
export interface WriteContext extends WrittenObject {
  session: Session;
  account: Account;
  /** Number of requests sent that change the account. */
  writes: { count: number };
}

/** An object of a resource in the state. */
export interface ResourceContext extends WriteContext {
  /** Outputs of the last deployment or refresh. */
  state: Properties;
  detector: DriftDetector;
}

/** An object to create or adopt. */
export interface CreateContext extends Omit<WriteContext, "key"> {
  args: Properties;
  /** URN of the resource; undefined if the engine does not pass it. */
  urn?: string | undefined;
  /** Declared values of its fields. */
  declared: Fields;
  /** The instance of the resource that the state has. */
  former?: FormerInstance | undefined;
  /** True if the object of that one still exists, and is deleted afterwards. */
  isReplacement?: boolean;
}

/** What goes into the state: the displayed values, the API's outputs, the metadata. */
export interface NewState {
  displayed: Fields;
  outputs: Properties;
  metadata: Metadata;
}

/** The result of a create. If `failure` is set, the object exists but some fields are not as declared. */
export interface CreateOutcome {
  key: string;
  effect: Effect;
  newState: NewState;
  failure?: unknown;
}

/** The context of an object in the state. */
export function resourceContext(
  definition: ResourceDefinition,
  session: Session,
  id: string,
  state: Properties,
): ResourceContext {
  // Checked first, since objects in the state prove which account the key belongs to: an invalid ID would make the writes of other
  // resources fail, too.
  const problem = problemOfId(definition, id, true);
  if (problem !== undefined) throw invalidState(`its ID: ${problem}`);
  session.reporting.writes.setId(id);
  const { companyId, key } = splitId(id);
  const account = session.accounts.of(companyId);
  const metadata = decodeMetadata(definition, state);
  const detector = new DriftDetector(definition, state, metadata.fields ?? {});
  return { definition, session, account, key, state, metadata, detector, writes: { count: 0 } };
}

/** The context of an object to create or adopt, with a new instance ID. */
export async function createContext(
  definition: ResourceDefinition,
  session: Session,
  args: Properties,
  urn?: string,
): Promise<CreateContext> {
  const instanceId = randomBytes(6).toString("base64url");
  const metadata = { instanceId, ...(await session.connection.currentAccount()) };
  const account = session.accounts.of(args.account as string | undefined);
  const declared = pickFields(definition, args);
  return { definition, session, account, args, urn, declared, metadata, writes: { count: 0 } };
}

/** Fields and outputs of an object that the API returned. A field that some services do not return has its recorded value. */
export function readFields(
  { definition, detector }: ResourceContext,
  item: unknown,
): ReturnType<ResourceDefinition["fromApi"]> {
  const { fields, outputs } = definition.fromApi(item);
  const missing = definition.sometimesReturned.filter((field) => fields[field] === undefined);
  const recorded = missing.map((field) => [field, detector.declared(field)]);
  return { fields: { ...fields, ...Object.fromEntries(recorded) }, outputs };
}

/** Shows the user a notice about the object. */
export function logAbout(
  { definition, session, account, key }: Omit<WriteContext, "metadata" | "writes">,
  notice: string,
): void {
  session.reporting.log(`${definition.kind} ${account.id(key)}: ${notice}`);
}

/** Shows a notice for each output that reports a problem of the object. */
export function logProblems(context: WriteContext, outputs: Properties): void {
  for (const [name, describe] of Object.entries(context.definition.problems ?? {})) {
    if (typeof outputs[name] === "string") logAbout(context, describe(outputs[name]));
  }
}
