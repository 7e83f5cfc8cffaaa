/** The account that a deployment goes to. */
import type { ConfigEditor } from "../../../engine/index";
import { UsageError } from "../../output/exit-codes";

export interface DeploymentAccount {
  /** Base URL and key fingerprint; undefined where the program alone knows the account. */
  label: string | undefined;
  /** The stack's configuration, by full key. */
  configuration: { get(key: string): string | undefined };
}

/**
 * Rejects without the passphrase.
 * @throws {UsageError} if a setting cannot be used
 */
export async function openAccount(editor: ConfigEditor, env: NodeJS.ProcessEnv): Promise<DeploymentAccount> {
  const config = await editor.list({ showSecrets: true });
  const configuration = { get: (key: string) => config.get(key)?.value };
  const [{ describeIssues, malformedSettings, resolveSettings }, { keyFingerprint }] = await Promise.all([
    import("../../../provider/session/settings.js"),
    import("../../../sdk/auth/key-fingerprint.js"),
  ]);
  const issues = malformedSettings(configuration, env);
  if (issues.length > 0) throw new UsageError(describeIssues(issues));
  const { settings } = resolveSettings(configuration, env);
  if (settings?.baseUrl === undefined || settings.apiKey === undefined) return { label: undefined, configuration };
  const fingerprint = keyFingerprint(settings.apiKey);
  return { label: `${settings.baseUrl}  key ${fingerprint.slice(0, 4)}…${fingerprint.slice(-4)}`, configuration };
}
