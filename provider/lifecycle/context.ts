/** What the hooks of a resource hand one another: an object and all that is known of it. */

import type { Properties } from "../core/pulumi-values";
import type { Definition, Fields } from "../core/resource-definition";
import type { Account } from "../session/account";
import type { Session } from "../session/session";
import type { DriftDetector } from "../state/drift";
import type { Metadata } from "../state/metadata";

/** One object and all that a hook knows of it. */
export interface ResourceContext {
  definition: Definition;
  session: Session;
  account: Account;
  key: string;
  /** Outputs of the last deployment or refresh; empty for a new object. */
  state: Properties;
  detector: DriftDetector;
  metadata: Metadata;
}

/** Where something is written. */
export type WriteContext = Pick<ResourceContext, "definition" | "session" | "account" | "key" | "metadata">;

/** What a write leaves behind: the values to show, the service's outputs, the bookkeeping. */
export interface NewState {
  displayed: Fields;
  outputs: Properties;
  metadata: Metadata;
}

/** What a creation works with. */
export interface CreateContext {
  definition: Definition;
  session: Session;
  account: Account;
  args: Properties;
  /** Declared values of the managed fields. */
  declared: Fields;
  metadata: Metadata;
}

/** What a creation leaves behind. With a failure the object exists, but is not yet as it should be. */
export interface CreateOutcome {
  key: string;
  newState: NewState;
  failure?: unknown;
}
