/** Policies for e-signature accounts, published as `pulumi-esign/policy`. */

export type { PolicyConfig } from "./configuration";
export { type EsignPolicy, esignPolicies, type PolicyArgs } from "./pack";
export type { EnforcementLevel } from "./rule";
export { hashWording } from "./rules/approved-wording";
