/** Whether a key may manage subaccounts. */
import type { Client } from "../../sdk/index";

/** True for an error that says that the key is not a partner's. */
export function isNotPartner(error: unknown): boolean {
  const { code, status } = error as { code?: number; status?: number };
  return code === 10008 || status === 403;
}

export async function isPartner(client: Client): Promise<boolean> {
  try {
    await client.companies.list({ limit: 1 }).page();
    return true;
  } catch (error) {
    if (isNotPartner(error)) return false;
    throw error;
  }
}
