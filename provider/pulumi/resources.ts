/** The classes of the resources. */
import { branding, type brandingArgs, type brandingOutputs } from "../resources/branding";
import { brandingEmail, type brandingEmailArgs, type brandingEmailOutputs } from "../resources/branding-email";
import { company, type companyArgs, type companyOutputs } from "../resources/company";
import { contact, type contactArgs, type contactOutputs } from "../resources/contact";
import { settings, type settingsArgs } from "../resources/settings";
import { user, type userArgs, type userOutputs } from "../resources/user";
import { webhook, type webhookArgs, type webhookOutputs } from "../resources/webhook";
import { type ArgsOf, type ResourceClass, resourceClass } from "./resource-class";

// The types are written out, since comments get lost in inferred ones: editors show what each argument means.
const BrandingBase: ResourceClass<typeof brandingArgs, typeof brandingOutputs> = resourceClass(branding);
const BrandingEmailBase: ResourceClass<typeof brandingEmailArgs, typeof brandingEmailOutputs> =
  resourceClass(brandingEmail);
const WebhookBase: ResourceClass<typeof webhookArgs, typeof webhookOutputs> = resourceClass(webhook);
const CompanyBase: ResourceClass<typeof companyArgs, typeof companyOutputs> = resourceClass(company);
const ContactBase: ResourceClass<typeof contactArgs, typeof contactOutputs> = resourceClass(contact);
const UserBase: ResourceClass<typeof userArgs, typeof userOutputs> = resourceClass(user);
const SettingsBase: ResourceClass<typeof settingsArgs, Record<never, never>> = resourceClass(settings);

/** The logo and the colour of an account. Every account has exactly one. */
export class Branding extends BrandingBase {}
export type BrandingArgs = ArgsOf<typeof brandingArgs>;

/** The template of one of the emails that the service sends for the account. Every account has each of them once. */
export class BrandingEmail extends BrandingEmailBase {}
export type BrandingEmailArgs = ArgsOf<typeof brandingEmailArgs>;

/** A URL that the service calls when an event occurs. */
export class Webhook extends WebhookBase {}
export type WebhookArgs = ArgsOf<typeof webhookArgs>;

/** A subaccount of a partner. Needs a partner key. */
export class Company extends CompanyBase {}
export type CompanyArgs = ArgsOf<typeof companyArgs>;

/** A person to whom the account sends envelopes. The service adds one for each new address that it sends to. */
export class Contact extends ContactBase {}
export type ContactArgs = ArgsOf<typeof contactArgs>;

/** A person who works with the account. */
export class User extends UserBase {}
export type UserArgs = ArgsOf<typeof userArgs>;

/** The preferences of an account. Every account has them once; only those that are declared are managed. */
export class Settings extends SettingsBase {}
export type SettingsArgs = ArgsOf<typeof settingsArgs>;
