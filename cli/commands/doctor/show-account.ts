/** `esign doctor --account-only`: the account that other commands would use with the same options. */
import { ApiError, type Client } from "../../../sdk";
import { nameValueTable } from "../../output/table";
import { print } from "../../output/terminal";
import { type ConnectionOptions, openConnection } from "../../references/connect";

export async function showAccount(options: ConnectionOptions & { json?: boolean }): Promise<void> {
  const connection = await openConnection(options);
  try {
    const { client, source, company } = connection;
    const account = {
      baseUrl: client.baseUrl,
      keyFingerprint: await client.keyFingerprint(),
      ...(company !== undefined && { company }),
      partner: await isPartner(client),
      source,
    };
    if (options.json) print(JSON.stringify(account, undefined, 2));
    else {
      print(
        nameValueTable([
          ["Account", account.baseUrl],
          ["Key", `fingerprint ${account.keyFingerprint}`],
          ...(company === undefined ? [] : [["Subaccount", company] as const]),
          ["Partner", account.partner ? "yes" : "no"],
          ["From", source],
        ]),
      );
    }
  } finally {
    await connection.close();
  }
}

async function isPartner(client: Client): Promise<boolean> {
  const ask = async () => {
    await client.companies.list({ limit: 1 }).page();
    return true;
  };
  const isRefused = (error: unknown) => {
    if (error instanceof ApiError && error.isNotPartner) return false;
    throw error;
  };
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 403) || error.isNotPartner) return isRefused(error);
    // Whether the key is refused for all, or for this list only.
    await client.webhooks
      .list({ limit: 1 })
      .page()
      .catch(() => isRefused(error));
    return ask().catch(isRefused);
  }
}
