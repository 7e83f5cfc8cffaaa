/** What the hooks of a resource hand one another: an object and all that is known of it. */

import type { Properties } from "../core/pulumi-values";
import type { Definition, Fields } from "../core/resource-definition";
import type { Account } from "../session/account";
import type { Session } from "../session/session";
import type { Bookkeeping } from "../state/bookkeeping";
import type { Echo } from "../state/drift";

/** One object and all that a hook knows of it. */
export interface Subject {
  definition: Definition;
  session: Session;
  account: Account;
  key: string;
  /** Outputs of the last deployment or refresh; empty for a new object. */
  state: Properties;
  echo: Echo;
  book: Bookkeeping;
}

/** Where something is written. */
export type Place = Pick<Subject, "definition" | "session" | "account" | "key" | "book">;

/** What a write leaves behind: the values to show, the service's outputs, the bookkeeping. */
export interface Change {
  shown: Fields;
  outputs: Properties;
  book: Bookkeeping;
}

/** What a creation works with. */
export interface Creation {
  definition: Definition;
  session: Session;
  account: Account;
  args: Properties;
  /** Declared values of the managed fields. */
  wanted: Fields;
  book: Bookkeeping;
}

/** What a creation leaves behind. With a failure the object exists, but is not yet as it should be. */
export interface Made {
  key: string;
  change: Change;
  failure?: unknown;
}
