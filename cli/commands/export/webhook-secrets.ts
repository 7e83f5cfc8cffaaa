/** Addresses of webhooks are written into files like all other texts: what looks like a secret in one is told. */

import type { AccountModel, WebhookModel } from "../../../account-folder/model";
import { redactUrl } from "../../../account-folder/text/display";

/** One sentence for each address that seems to hold a secret. `files` names where it stands. */
export function secretUrls(webhooks: readonly WebhookModel[], files: string, company?: string): string[] {
  const where = company === undefined ? "" : `sub account ${company}: `;
  return webhooks
    .filter(({ url }) => redactUrl(url) !== url)
    .map(
      ({ type, url }) =>
        `${where}the address of the webhook for ${type}, ${redactUrl(url)}, seems to hold a secret, which stands in ${files} in clear: write \${token} there, and set it with esign config set --secret --path values.token`,
    );
}

/** The same for what was added to a folder: an address stands in one of the new texts as it is, or a value stands for its secret. */
export function newSecretUrls(part: AccountModel, files: ReadonlyMap<string, string>): string[] {
  const written = (webhook: WebhookModel) => [...files.values()].some((text) => text.includes(webhook.url));
  return [
    ...secretUrls(part.webhooks.filter(written), "account.yaml"),
    ...(part.companies ?? []).flatMap(({ name, account }) =>
      secretUrls(account?.webhooks.filter(written) ?? [], "account.yaml", name),
    ),
  ];
}
