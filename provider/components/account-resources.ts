/** The resources of one account, from a folder. */
import type * as pulumi from "@pulumi/pulumi";
import type { AccountFolder, FolderItem } from "../../account-folder/folder/account-folder";
import type { ResourceKind } from "../../account-folder/kinds/config-kind";
import type { Template } from "../../account-folder/template/template";
import type { BrandingEmailType } from "../../sdk/api/branding";
import type { AccountArgument } from "../pulumi/resource-class";
import { Branding, BrandingEmail, Webhook, type WebhookArgs } from "../pulumi/resources";
import { type FolderValues, fill, fillEmail, fillTemplate } from "./fill-values";
import type { FolderArgs } from "./load-folder";

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
  const textOf = (template: Template) => fill([template], values, (known) => fillTemplate(template, known));
  const texts = ({ templates }: FolderItem) =>
    Object.fromEntries(Object.entries(templates).map(([field, template]) => [field, textOf(template)]));
  const created = {
    Branding: folder.items.Branding.map(
      (item) => new Branding(`${name}-branding`, { ...restorable, ...texts(item) }, opts),
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
  } satisfies Record<Exclude<ResourceKind, "Company">, unknown>;
  return {
    branding: created.Branding[0],
    emails: Object.fromEntries(created.BrandingEmail),
    webhooks: Object.fromEntries(created.Webhook),
  };
}
