/** The resources of one account, from a folder. */
import * as pulumi from "@pulumi/pulumi";
import type { AccountFolder, FolderItem } from "../../account-folder/folder/account-folder";
import type { ResourceKind } from "../../account-folder/kinds/config-kind";
import type { Template } from "../../account-folder/template/template";
import type { BrandingEmailType } from "../../sdk/known-values";
import type { AccountArgument } from "../pulumi/resource-types";
import type { ContactArgs, UserArgs, WebhookArgs } from "../pulumi/resources";
import { Branding, BrandingEmail, Contact, Settings, User, Webhook } from "../pulumi/resources";
import type { FolderArgs } from "./component-arguments";
import { type FolderValues, fill, fillEmail, fillTemplate } from "./fill-values";

/** Loaded only by programs that need it. */
const kindsOf = (): typeof import("../../account-folder/kinds/index") => require("../../account-folder/kinds/index");

/** The arguments of a resource from the texts of its fields. */
function inputsOf(kind: ResourceKind, texts: Record<string, pulumi.Input<string>>): pulumi.Inputs {
  const { toInputs } = kindsOf().kinds[kind];
  const inputs: pulumi.Inputs = {};
  for (const [field, text] of Object.entries(texts)) {
    const [name, inner] = field.split(".") as [string, string?];
    const convert = (value: string) => {
      const input = toInputs({ fields: { [field]: value } })[name];
      return inner === undefined ? input : (input as pulumi.Inputs)[inner];
    };
    const input = typeof text === "string" ? convert(text) : pulumi.output(text).apply(convert);
    inputs[name] = inner === undefined ? input : { ...inputs[name], [inner]: input };
  }
  return inputs;
}

/** What is `null` in the settings file. A placeholder without a text is a mistake. */
function removals({ templates }: FolderItem): Record<string, null> {
  const isRemoval = ({ parts }: Template) => parts.every((part) => part.kind === "literal" && part.text === "");
  const fields = Object.keys(templates).filter((field) => isRemoval(templates[field]!));
  return Object.fromEntries(fields.map((field) => [field, null]));
}

/** Creates what a folder has. */
export function createResources(
  parent: pulumi.Resource,
  name: string,
  folder: AccountFolder,
  values: FolderValues,
  { onDelete }: FolderArgs,
  account: AccountArgument | undefined,
) {
  const opts = { parent };
  const shared = { ...(account !== undefined && { account }) };
  const restorable = { ...shared, ...(onDelete !== undefined && { onDelete }) };
  const textOf = (template: Template) => fill([template], values, (strings) => fillTemplate(template, strings));
  const texts = ({ templates }: FolderItem) =>
    Object.fromEntries(Object.entries(templates).map(([field, template]) => [field, textOf(template)]));
  const created = {
    Branding: folder.items.Branding.map(
      (item) => new Branding(`${name}-branding`, { ...restorable, ...texts(item), ...removals(item) }, opts),
    ),
    BrandingEmail: folder.emails
      .map((files) => [files.type, fillEmail(files, values)] as const)
      .filter(([, texts]) => Object.keys(texts).length > 0)
      .map(([type, texts]) => {
        const args = { ...restorable, type: type as BrandingEmailType, ...texts };
        return [type, new BrandingEmail(`${name}-${type}`, args, opts)] as const;
      }),
    Webhook: folder.items.Webhook.map((item) => {
      const args = { ...shared, ...texts(item) } as WebhookArgs;
      return [item.name!, new Webhook(`${name}-${item.name}`, args, opts)] as const;
    }),
    User: folder.items.User.map((item) => {
      const args = { ...shared, ...inputsOf("User", texts(item)) } as UserArgs;
      return [item.name!, new User(`${name}-${item.name}`, args, opts)] as const;
    }),
    Contact: folder.items.Contact.map((item) => {
      const args = { ...shared, ...texts(item) } as ContactArgs;
      return [item.name!, new Contact(`${name}-${item.name}`, args, opts)] as const;
    }),
    Settings: folder.items.Settings.map(
      (item) => new Settings(`${name}-settings`, { ...restorable, ...inputsOf("Settings", texts(item)) }, opts),
    ),
  } satisfies Record<Exclude<ResourceKind, "Company">, unknown>;
  return {
    branding: created.Branding[0],
    emails: Object.fromEntries(created.BrandingEmail),
    webhooks: Object.fromEntries(created.Webhook),
    users: Object.fromEntries(created.User),
    contacts: Object.fromEntries(created.Contact),
    settings: created.Settings[0],
  };
}
