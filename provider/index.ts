/** An e-signature account's configuration as code. */
// First: what follows needs Pulumi's SDK.
import "./pulumi/require-sdk";

export type { BrandingEmailType, EnvelopeStatus, SignatureFormat, WebhookType } from "../sdk/known-values";
export type { RoleName } from "../sdk/roles";
export { AccountConfig } from "./components/account-config";
export type { AccountConfigArgs, FolderArgs, SubAccountArgs } from "./components/component-arguments";
export { SubAccount } from "./components/subaccount";
export * from "./functions/index";
export { Provider, type ProviderArgs } from "./pulumi/explicit-provider";
export type { AccountArgument } from "./pulumi/resource-types";
export * from "./pulumi/resources";
