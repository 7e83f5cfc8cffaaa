/** Warnings about URLs of webhooks that seem to contain a secret: they are written to files in plain text. */

import { companyName } from "../../../definitions/company";
import type { AccountModel, Item } from "../../../definitions/model";
import { redactUrl } from "../../../redaction/url-credentials";

/** One sentence for each URL that seems to contain a secret. `files` names the files that have it. */
export function secretUrls(webhooks: readonly Item[] | undefined, files: string, company?: string): string[] {
  const where = company === undefined ? "" : `subaccount ${company}: `;
  return (webhooks ?? [])
    .filter(({ fields: { url = "" } }) => redactUrl(url) !== url)
    .map(
      ({ fields: { type, url = "" } }) =>
        `${where}the URL of the webhook for ${type}, ${redactUrl(url)}, seems to contain a secret, in plain text in ${files}. Write \${token} in account.yaml, and run: esign config set --secret --path values.token`,
    );
}

/** The same for additions to a folder: only URLs that the new files contain unchanged. */
export function newSecretUrls(part: AccountModel, files: ReadonlyMap<string, string>): string[] {
  const written = ({ Webhook }: AccountModel) =>
    Webhook?.filter(({ fields: { url } }) => [...files.values()].some((text) => text.includes(url!)));
  return [
    ...secretUrls(written(part), "account.yaml"),
    ...(part.Company ?? []).flatMap((company) =>
      secretUrls(company.account && written(company.account), "account.yaml", companyName(company)),
    ),
  ];
}
