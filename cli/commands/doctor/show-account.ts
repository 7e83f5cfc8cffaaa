/** `esign doctor --account-only`: the account that other commands would use with the same options. */
import { nameValueTable } from "../../output/table";
import { print } from "../../output/terminal";
import { type ConnectionOptions, openConnection } from "../../references/connect";
import { listSubaccounts } from "./key";

export async function showAccount(options: ConnectionOptions & { json?: boolean }): Promise<void> {
  const connection = await openConnection(options);
  try {
    const { client, source, company } = connection;
    // Some services refuse the list of subaccounts as they refuse a wrong key, which the client tells by another call that succeeds.
    await client.webhooks
      .list({ limit: 1 })
      .page()
      .catch(() => undefined);
    const account = {
      baseUrl: client.baseUrl,
      keyFingerprint: await client.keyFingerprint(),
      ...(company !== undefined && { company }),
      partner: (await listSubaccounts(client)) !== undefined,
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
