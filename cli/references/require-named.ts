/** Makes sure that commands write only to an account that the user named. */
import type { Client } from "../../sdk/index";
import { UsageError } from "../output/errors";

export async function requireNamed(client: Client, fingerprint: string): Promise<void> {
  const own = await client.keyFingerprint();
  if (fingerprint.toLowerCase() === own) return;
  throw new UsageError(
    `--write ${fingerprint}: the fingerprint of this account is ${own}. Nothing was sent.\nIf this is the account to write to: --write ${own}`,
  );
}
