/** What both components have of an account. */
import * as pulumi from "@pulumi/pulumi";
import type { Branding, BrandingEmail, Contact, Settings, User, Webhook } from "../pulumi/resources";

/** The resources of an account. The constructors of the components assign them. */
export abstract class AccountResources extends pulumi.ComponentResource {
  /** Logo and colour; undefined if the folder has neither. */
  readonly branding: Branding | undefined;
  /** The email templates by type. */
  readonly emails: Readonly<Record<string, BrandingEmail>> = {};
  /** The webhooks by their names in account.yaml. */
  readonly webhooks: Readonly<Record<string, Webhook>> = {};
  /** The users by their names in account.yaml. */
  readonly users: Readonly<Record<string, User>> = {};
  /** The contacts by their names in account.yaml. */
  readonly contacts: Readonly<Record<string, Contact>> = {};
  /** The preferences; undefined if the folder has none. */
  readonly settings: Settings | undefined;
}
