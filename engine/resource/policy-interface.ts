/** The interface of policy packs, as the engine calls them. */
import type { ValueMap } from "./property-value";
import type { ResourceState } from "./resource-state";

export type EnforcementLevel = "advisory" | "mandatory" | "remediate" | "disabled";

/** A violation by a resource or by the stack. */
export interface PolicyViolation {
  policy: string;
  /** Name and version of the pack. */
  pack: string;
  message: string;
  level: EnforcementLevel;
  /** The resource; absent for the one that was analyzed, or for the stack. */
  urn?: string;
}

/** Inputs that a policy has changed; without properties, why it could not. */
export interface Remediation {
  policy: string;
  pack: string;
  description: string;
  properties?: ValueMap;
  diagnostic?: string;
}

/** A resource as policies see it: with its inputs, or its outputs for {@link PolicyPack.analyzeStack}. */
export interface AnalyzedResource {
  state: ResourceState;
  properties: ValueMap;
  deleteBeforeReplace?: boolean | undefined;
  ignoreChanges: readonly string[];
  provider?: ResourceState | undefined;
}

export interface PolicyPack {
  /** Name and version: "company@v0.1.0". */
  readonly label: string;
  remediate(resource: AnalyzedResource): Promise<Remediation[]>;
  analyze(resource: AnalyzedResource): Promise<PolicyViolation[]>;
  analyzeStack(resources: readonly AnalyzedResource[]): Promise<PolicyViolation[]>;
}
