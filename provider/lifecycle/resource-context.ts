/** What the steps of a lifecycle pass to one another: an object and all that is known of it. */
import type { Properties } from "../core/pulumi-values";
import type { Definition, Fields } from "../core/resource-definition";
import type { Effect } from "../effects/effect";
import type { Account } from "../session/account";
import type { Session } from "../session/session";
import type { DriftDetector } from "../state/drift";
import type { Metadata } from "../state/metadata";

/** An object that is written. */
export interface WriteContext {
  definition: Definition;
  session: Session;
  account: Account;
  key: string;
  metadata: Metadata;
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
  /** Declared values of the fields. */
  declared: Fields;
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

/** Shows the user a notice about the object. */
export function logAbout(
  { definition, session, account, key }: Omit<WriteContext, "metadata" | "writes">,
  notice: string,
): void {
  session.log(`${definition.kind} ${account.id(key)}: ${notice}`);
}
