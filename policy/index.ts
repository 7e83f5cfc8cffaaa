/** Policies for e-signature accounts, published as `pulumi-esign/policy`. */

export { type EsignPolicy, esignPolicies, type PolicyArgs } from "./pack";
export type { EnforcementLevel } from "./rule";
export type { PolicyConfig } from "./rule-configuration";
export { hashWording } from "./rules/approved-wording";
