/** An e-signature account's configuration as code. */
export type { BrandingEmailType } from "../sdk/api/branding";
export type { WebhookType } from "../sdk/api/webhooks";
export { AccountConfig, type AccountConfigArgs } from "./components/account-config";
export { SubAccount, type SubAccountArgs } from "./components/subaccount";
export * from "./functions/index";
export { Provider, type ProviderArgs } from "./pulumi/explicit-provider";
export type { AccountArgument } from "./pulumi/resource-class";
export {
  Branding,
  type BrandingArgs,
  BrandingEmail,
  type BrandingEmailArgs,
  Company,
  type CompanyArgs,
  Contact,
  type ContactArgs,
  Settings,
  type SettingsArgs,
  User,
  type UserArgs,
  Webhook,
  type WebhookArgs,
} from "./pulumi/resources";
