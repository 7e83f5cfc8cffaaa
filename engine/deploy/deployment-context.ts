/** The objects that the parts of one deployment share: plan, state, providers, events. */
import type { RunOptions } from "../api";
import type { PlanOptions, PlanState } from "../plan/plan-state";
import type { ProviderQueries } from "../plan/provider-queries";
import type { ProviderRegistry } from "../plugin/provider-registry";
import type { ResourceHooks } from "../resource/hooks";
import type { PluginRequest } from "../resource/plugin-request";
import type { PolicyPack } from "../resource/policy-interface";
import type { ValueMap } from "../resource/property-value";
import type { Provider } from "../resource/provider-interface";
import type { PendingOperation, ResourceState } from "../resource/resource-state";
import type { SnapshotManager } from "../state/snapshot-manager";
import type { EventSink } from "./event-sink";
import type { Lifecycle } from "./operation-lifecycle";
import type { Semaphore } from "./semaphore";
import type { StepEventEmitter } from "./steps/step-events";

export interface DeploymentOptions extends PlanOptions {
  events: EventSink;
  parallel: number;
  continueOnError: boolean;
  /** Refresh the whole old state before anything else. */
  refreshFirst: boolean;
  showSecrets: boolean;
  withStates?: boolean;
  signal: AbortSignal | undefined;
  /** The old state. */
  resources: readonly ResourceState[];
  /** The operations that earlier runs did not finish. */
  pendingOperations?: readonly PendingOperation[];
  recoverCreate?: RunOptions["recoverCreate"];
  /** The policies that every registration has to comply with. */
  policyPacks?: readonly PolicyPack[];
  /** Receives the program's registrations. */
  hooks: ResourceHooks;
  snapshot: SnapshotManager;
  providers: ProviderRegistry;
  /** Inputs of the default provider of a plugin. */
  defaultProviderInputs: (plugin: PluginRequest) => ValueMap;
  /** Called once before the first call that changes an object; if it fails, nothing has changed. */
  deriveKey: () => Promise<void>;
}

export interface DeploymentContext extends DeploymentOptions {
  lifecycle: Lifecycle;
  stepEvents: StepEventEmitter;
  plan: PlanState;
  /** The new states that are recorded, by URN. */
  news: Map<string, ResourceState>;
  /** Planning takes one registration at a time, in the order of registration. */
  planning: Semaphore;
  provider: (reference: string) => Provider;
  queries: ProviderQueries;
}
