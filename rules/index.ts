/** Policies for e-signature accounts, published as `pulumi-esign/policy`. */

export { type EsignPolicy, esignPolicies, type PolicyArgs } from "./pack";
export { hashWording } from "./registry/policies/approved-wording";
export type { EnforcementLevel, PolicyConfig } from "./rule-configuration";
