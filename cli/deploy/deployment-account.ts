/** The account that a deployment goes to. */
import type { ConfigEditor } from "../../engine/index";
import { UsageError } from "../output/errors";
import { errorColours, note } from "../output/terminal";
import { localPassphrase } from "../project/local-passphrase";
import { configuredStacks, namesAccount } from "../project/project-files";

/** Values by full key. */
interface Configuration {
  get(key: string): string | undefined;
}

export interface DeploymentAccount {
  /** Base URL and key fingerprint; undefined where the program alone knows the account. */
  label: string | undefined;
  /** Fingerprint of the key; undefined where the program alone knows the account. */
  fingerprint?: string;
  /** The stack's configuration. It may take a key to read it, which not every deployment needs. */
  configuration(): Promise<Configuration>;
}

/**
 * Rejects without the passphrase.
 * @throws {UsageError} if a setting cannot be used
 */
export async function deploymentAccount(editor: ConfigEditor, env: NodeJS.ProcessEnv): Promise<DeploymentAccount> {
  const config = await editor.list({ showSecrets: true });
  const values = { get: (key: string) => config.get(key)?.value };
  const { describeIssues, malformedConfig } = await import("../../provider/session/config-issues.js");
  const issues = malformedConfig(values, env);
  if (issues.length > 0) throw new UsageError(describeIssues(issues));
  const account = await configuredAccount(values, env);
  const configuration = async () => values;
  if (account === undefined) return { label: undefined, configuration };
  return { label: labelOf(account), fingerprint: account.fingerprint, configuration };
}

const labelOf = ({ baseUrl, fingerprint }: { baseUrl: string; fingerprint: string }): string =>
  `${baseUrl}  key ${fingerprint.slice(0, 4)}…${fingerprint.slice(-4)}`;

/** Base URL and key fingerprint in one text; undefined where one is missing. */
export async function accountLabel(...settings: Parameters<typeof configuredAccount>): Promise<string | undefined> {
  const account = await configuredAccount(...settings);
  return account && labelOf(account);
}

/** Base URL and key fingerprint of the settings; undefined where one is missing. */
async function configuredAccount(
  configuration: Configuration,
  env: NodeJS.ProcessEnv,
): Promise<{ baseUrl: string; fingerprint: string } | undefined> {
  const [{ resolveConfig }, { keyFingerprint }] = await Promise.all([
    import("../../provider/session/provider-config.js"),
    import("../../sdk/auth/key-fingerprint.js"),
  ]);
  const { config } = resolveConfig(configuration, env);
  if (config?.baseUrl === undefined || config.apiKey === undefined) return undefined;
  return { baseUrl: config.baseUrl, fingerprint: keyFingerprint(config.apiKey) };
}

/** Where nothing names the account of this stack: it was made with `--local`, or another one has an account, mostly an export's. */
export async function hintAtAccount(project: string, stack: string): Promise<void> {
  if (namesAccount(project, stack)) return;
  const others = configuredStacks(project).filter((name) => name !== stack && namesAccount(project, name));
  const isLocal = (await localPassphrase(project, stack)) !== undefined;
  const hints = [
    ...(isLocal ? ["it was made with --local: add that"] : []),
    ...(others.length > 0 ? [`there is one for ${others.join(", ")}: --stack ${others[0]}`] : []),
  ];
  if (hints.length > 0)
    note(errorColours.yellow(`note: no account is configured for stack ${stack}; ${hints.join("; ")}`));
}
