/** An e-signature account's configuration as code. */
export type { BrandingEmailType } from "../sdk/branding";
export type { WebhookType } from "../sdk/webhooks";
export { AccountConfig, type AccountConfigArgs } from "./account-config";
export * from "./functions";
export { Provider, type ProviderArgs } from "./provider";
export type { AccountArgument } from "./resource";
export {
  Branding,
  type BrandingArgs,
  BrandingEmail,
  type BrandingEmailArgs,
  Company,
  type CompanyArgs,
  Webhook,
  type WebhookArgs,
} from "./resources";
export { SubAccount, type SubAccountArgs } from "./sub-account";
