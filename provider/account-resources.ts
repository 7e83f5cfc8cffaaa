/** The resources of one account, from a folder. */
import type * as pulumi from "@pulumi/pulumi";
import type { AccountFolder } from "../account/folder";
import type { Template } from "../account/template";
import type { BrandingEmailType } from "../sdk/branding";
import type { WebhookType } from "../sdk/webhooks";
import type { FolderArgs } from "./folder-reading";
import { emailTexts, type FolderValues, fill, plain } from "./folder-texts";
import type { AccountArgument } from "./resource";
import { Branding, BrandingEmail, Webhook } from "./resources";

export function makeAccount(
  parent: pulumi.Resource,
  name: string,
  folder: AccountFolder,
  values: FolderValues,
  { onDelete }: FolderArgs,
  account: AccountArgument | undefined,
) {
  const opts = { parent };
  const common = { ...(account !== undefined && { account }) };
  const kept = { ...common, ...(onDelete !== undefined && { onDelete }) };
  const textOf = (template: Template) => fill([template], values, (known) => plain(template, known));
  const { colour, logoUrl } = folder.branding;
  const branding =
    colour || logoUrl
      ? new Branding(
          `${name}-branding`,
          { ...kept, ...(colour && { colour: textOf(colour) }), ...(logoUrl && { logoUrl: textOf(logoUrl) }) },
          opts,
        )
      : undefined;
  const emails = folder.emails
    .map((files) => [files.type, emailTexts(files, values)] as const)
    .filter(([, texts]) => Object.keys(texts).length > 0)
    .map(([type, texts]) => {
      const args = { ...kept, type: type as BrandingEmailType, ...texts };
      return [type, new BrandingEmail(`${name}-${type}`, args, opts)] as const;
    });
  const webhooks = folder.webhooks.map((webhook) => {
    const args = { ...common, type: textOf(webhook.type) as pulumi.Input<WebhookType>, url: textOf(webhook.url) };
    return [webhook.name, new Webhook(`${name}-${webhook.name}`, args, opts)] as const;
  });
  return { branding, emails: Object.fromEntries(emails), webhooks: Object.fromEntries(webhooks) };
}
