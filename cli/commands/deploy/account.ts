/** The account that a deployment goes to, for its heading. */
import type { Stack } from "../../../engine/index";

/** Base URL and key fingerprint; undefined where the program alone knows the account. Rejects without the passphrase. */
export async function describeAccount(stack: Stack, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const config = await stack.config.list({ showSecrets: true });
  const [{ resolveSettings }, { keyFingerprint }] = await Promise.all([
    import("../../../provider/session/settings.js"),
    import("../../../sdk/auth/key-fingerprint.js"),
  ]);
  const { settings } = resolveSettings({ get: (key) => config.get(key)?.value }, env);
  if (settings?.baseUrl === undefined || settings.apiKey === undefined) return undefined;
  const fingerprint = keyFingerprint(settings.apiKey);
  return `${settings.baseUrl} (key ${fingerprint.slice(0, 4)}…${fingerprint.slice(-4)})`;
}
