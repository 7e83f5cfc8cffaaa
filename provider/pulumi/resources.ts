/** The classes of the resources. */
import { branding } from "../resources/branding";
import { brandingEmail } from "../resources/branding-email";
import { company } from "../resources/company";
import { contact } from "../resources/contact";
import { settings } from "../resources/settings";
import { user } from "../resources/user";
import { webhook } from "../resources/webhook";
import type * as types from "./resource-arguments";
import { resourceClass } from "./resource-class";

const BrandingBase: types.ResourceClass<types.BrandingValues, types.BrandingOutputs, types.BrandingArgs> =
  resourceClass(branding);
const BrandingEmailBase: types.ResourceClass<
  types.BrandingEmailValues,
  types.BrandingEmailOutputs,
  types.BrandingEmailArgs
> = resourceClass(brandingEmail);
const WebhookBase: types.ResourceClass<types.WebhookValues, types.WebhookOutputs, types.WebhookArgs> =
  resourceClass(webhook);
const CompanyBase: types.ResourceClass<types.CompanyValues, types.CompanyOutputs, types.CompanyArgs> =
  resourceClass(company);
const ContactBase: types.ResourceClass<types.ContactValues, types.ContactOutputs, types.ContactArgs> =
  resourceClass(contact);
const UserBase: types.ResourceClass<types.UserValues, types.UserOutputs, types.UserArgs> = resourceClass(user);
const SettingsBase: types.ResourceClass<types.SettingsValues, Record<never, never>, types.SettingsArgs> = resourceClass(
  settings,
);

/** The logo and the colour of an account. Every account has exactly one. */
export class Branding extends BrandingBase {}

/** The template of one of the emails that the service sends for the account. Every account has each of them once. */
export class BrandingEmail extends BrandingEmailBase {}

/** A URL that the service calls when an event occurs. */
export class Webhook extends WebhookBase {}

/** A subaccount of a partner. Needs a partner key. */
export class Company extends CompanyBase {}

/** A person to whom the account sends envelopes. The service adds one for each new address that it sends to. */
export class Contact extends ContactBase {}

/** A person who works with the account. */
export class User extends UserBase {}

/** The preferences of an account. Every account has them once; only those that are declared are managed. */
export class Settings extends SettingsBase {}
