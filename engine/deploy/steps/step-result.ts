/** What a step needs and what it changes. */
import type { InitError } from "../../resource/provider-interface";
import type { ResourceState } from "../../resource/resource-state";
import type { DeploymentContext } from "../deployment-context";
import type { RefreshResult } from "./step-events";

export type Fields = { [Name in keyof ResourceState]?: ResourceState[Name] | undefined };

/** What a step changes. A field that is undefined is removed. */
export interface StepResult {
  /** Fields of the new state. */
  state?: Fields;
  /** Fields of the old state. */
  old?: Fields;
  /** refresh: the state that takes the place of the new one; undefined if the object no longer exists. */
  refreshed?: ResourceState | undefined;
  refresh?: RefreshResult;
  /** The object exists but was not initialised: it is recorded, and the step fails. */
  initError?: InitError;
}

export type StepContext = Pick<DeploymentContext, "dryRun" | "providers" | "provider" | "queries" | "events">;
