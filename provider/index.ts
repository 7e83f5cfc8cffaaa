/** An e-signature account's configuration as code. */
import { branding } from "./branding";
import { brandingEmail } from "./branding-email";
import { company } from "./company";
import { type ArgsOf, resourceClass } from "./resource";
import { webhook } from "./webhook";

/** The logo and the colour of an account (§2.1). There is one in every account. */
export class Branding extends resourceClass(branding) {}
export type BrandingArgs = ArgsOf<typeof branding>;

/** One of the e-mails that the service sends in the account's name (§2.2). Every account has each of them once. */
export class BrandingEmail extends resourceClass(brandingEmail) {}
export type BrandingEmailArgs = ArgsOf<typeof brandingEmail>;

/** An address that the service notifies of an event (§2.3). */
export class Webhook extends resourceClass(webhook) {}
export type WebhookArgs = ArgsOf<typeof webhook>;

/** A sub account of a partner (§2.4). It needs a partner-enabled key. */
export class Company extends resourceClass(company) {}
export type CompanyArgs = ArgsOf<typeof company>;

export type { BrandingEmailType } from "../sdk/branding";
export type { WebhookType } from "../sdk/webhooks";
export { Provider, type ProviderArgs } from "./provider";
export type { AccountArgument } from "./resource";
