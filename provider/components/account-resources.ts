/** The resources of one account, from a folder. */
import type * as pulumi from "@pulumi/pulumi";
import type { AccountFolder } from "../../account-folder/folder/read";
import type { Template } from "../../account-folder/template/template";
import type { BrandingEmailType } from "../../sdk/api/branding";
import type { WebhookType } from "../../sdk/api/webhooks";
import type { AccountArgument } from "../pulumi/resource-class";
import { Branding, BrandingEmail, Webhook } from "../pulumi/resources";
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
  const { colour, logoUrl } = folder.branding;
  const branding =
    colour || logoUrl
      ? new Branding(
          `${name}-branding`,
          { ...restorable, ...(colour && { colour: textOf(colour) }), ...(logoUrl && { logoUrl: textOf(logoUrl) }) },
          opts,
        )
      : undefined;
  const emails = folder.emails
    .map((files) => [files.type, fillEmail(files, values)] as const)
    .filter(([, texts]) => Object.keys(texts).length > 0)
    .map(([type, texts]) => {
      const args = { ...restorable, type: type as BrandingEmailType, ...texts };
      return [type, new BrandingEmail(`${name}-${type}`, args, opts)] as const;
    });
  const webhooks = folder.webhooks.map((webhook) => {
    const args = { ...shared, type: textOf(webhook.type) as pulumi.Input<WebhookType>, url: textOf(webhook.url) };
    return [webhook.name, new Webhook(`${name}-${webhook.name}`, args, opts)] as const;
  });
  return { branding, emails: Object.fromEntries(emails), webhooks: Object.fromEntries(webhooks) };
}
