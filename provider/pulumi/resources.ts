/** The classes of the resources, and the types of their arguments. */
import type { BrandingOutputs, BrandingValues } from "../../definitions/branding";
import type { BrandingEmailOutputs, BrandingEmailValues } from "../../definitions/branding-email";
import type { CompanyOutputs, CompanyValues } from "../../definitions/company";
import type { ContactOutputs, ContactValues } from "../../definitions/contact";
import type { SettingsValues } from "../../definitions/settings";
import type { UserOutputs, UserValues } from "../../definitions/user";
import type { WebhookOutputs, WebhookValues } from "../../definitions/webhook";
import { branding } from "../resources/branding";
import { brandingEmail } from "../resources/branding-email";
import { company } from "../resources/company";
import { contact } from "../resources/contact";
import { settings } from "../resources/settings";
import { user } from "../resources/user";
import { webhook } from "../resources/webhook";
import { resourceClass } from "./resource-class";
import type { Inputs, ResourceClass } from "./resource-types";

export interface BrandingArgs extends Inputs<BrandingValues> {}
const BrandingBase: ResourceClass<BrandingValues, BrandingOutputs, BrandingArgs> = resourceClass(branding);
/** The logo and the colour of an account. Every account has exactly one. */
export class Branding extends BrandingBase {}

export interface BrandingEmailArgs extends Inputs<BrandingEmailValues> {}
const BrandingEmailBase: ResourceClass<BrandingEmailValues, BrandingEmailOutputs, BrandingEmailArgs> =
  resourceClass(brandingEmail);
/** The template of one of the emails that the service sends for the account. Every account has each of them once. */
export class BrandingEmail extends BrandingEmailBase {}

export interface WebhookArgs extends Inputs<WebhookValues> {}
const WebhookBase: ResourceClass<WebhookValues, WebhookOutputs, WebhookArgs> = resourceClass(webhook);
/** A URL that the service calls when an event occurs. */
export class Webhook extends WebhookBase {}

export interface CompanyArgs extends Inputs<CompanyValues> {}
const CompanyBase: ResourceClass<CompanyValues, CompanyOutputs, CompanyArgs> = resourceClass(company);
/** A subaccount of a partner. Needs a partner key. */
export class Company extends CompanyBase {}

export interface ContactArgs extends Inputs<ContactValues> {}
const ContactBase: ResourceClass<ContactValues, ContactOutputs, ContactArgs> = resourceClass(contact);
/** A person to whom the account sends envelopes. The service adds one for each new address that it sends to. */
export class Contact extends ContactBase {}

export interface UserArgs extends Inputs<UserValues> {}
const UserBase: ResourceClass<UserValues, UserOutputs, UserArgs> = resourceClass(user);
/** A person who works with the account. */
export class User extends UserBase {}

export interface SettingsArgs extends Inputs<SettingsValues> {}
const SettingsBase: ResourceClass<SettingsValues, Record<never, never>, SettingsArgs> = resourceClass(settings);
/** The preferences of an account. Every account has them once; only those that are declared are managed. */
export class Settings extends SettingsBase {}
