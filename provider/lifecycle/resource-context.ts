/** What the steps of a lifecycle pass to one another: an object and all that is known of it. */
import { randomBytes } from "node:crypto";
import type { Properties } from "../core/pulumi-values";
import { type Definition, type Fields, pickFields } from "../core/resource-definition";
import type { Effect } from "../plan/effect";
import type { WrittenObject } from "../recovery/unconfirmed-writes";
import type { Account } from "../session/account";
import type { Session } from "../session/session";
import { DriftDetector } from "../state/drift";
import { decodeMetadata, invalidState, type Metadata } from "../state/metadata";
import { problemOfId, splitId } from "./object-id";

/** An object that is written. */
export interface WriteContext extends WrittenObject {
  session: Session;
  account: Account;
  /** Number of requests sent that change the account. */
  writes: { count: number };
}

/** An object that the state has. */
export interface ResourceContext extends WriteContext {
  /** Outputs of the last deployment or refresh. */
  state: Properties;
  detector: DriftDetector;
}

/** An object that is to be created or adopted. */
export interface CreateContext extends Omit<WriteContext, "key"> {
  args: Properties;
  /** URN of the resource. */
  urn?: string | undefined;
  /** Declared values of the fields. */
  declared: Fields;
  /** True for what takes the place of an object that is deleted afterwards. */
  isReplacement?: boolean;
}

/** What goes into the state: the values to display, the API's outputs, the metadata. */
export interface NewState {
  displayed: Fields;
  outputs: Properties;
  metadata: Metadata;
}

/** What a create leads to. With a failure the object exists, but is not as declared yet. */
export interface CreateOutcome {
  key: string;
  effect: Effect;
  newState: NewState;
  failure?: unknown;
}

/** An object of the state, by its id and its outputs. */
export function resourceContext(
  definition: Definition,
  session: Session,
  id: string,
  state: Properties,
): ResourceContext {
  // It would fail the other resources, too: an object of the state proves the account of their writes.
  const problem = problemOfId(definition, id, true);
  if (problem !== undefined) throw invalidState(`its ID: ${problem}`);
  session.reporting.writes.setId(id);
  const { companyId, key } = splitId(id);
  const account = session.accounts.of(companyId);
  const metadata = decodeMetadata(definition, state);
  const detector = new DriftDetector(definition, state, metadata.fields ?? {});
  return { definition, session, account, key, state, metadata, detector, writes: { count: 0 } };
}

/** An object to be created, with an instance id of its own. */
export async function createContext(
  definition: Definition,
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

/** An object as the API returns it. What a service does not return is as recorded. */
export function readFields(
  { definition, detector }: ResourceContext,
  item: unknown,
): ReturnType<Definition["fromApi"]> {
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

/** Shows the user what is wrong with the object by its outputs. */
export function logProblems(context: WriteContext, outputs: Properties): void {
  for (const [name, describe] of Object.entries(context.definition.problems ?? {})) {
    if (typeof outputs[name] === "string") logAbout(context, describe(outputs[name]));
  }
}
