/**
 * The throw-away passphrase of `--local`, in `.esign/passphrase`, made without asking. It lies beside what it encrypts, so
 * it is for stacks on the emulator alone: what belongs to an account gets a passphrase of the user's.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Crypter } from "../../engine/secrets/crypter";
import { environmentPassphrase, hasPassphrase } from "../../engine/secrets/environment-passphrase";
import { assertNoLink, makeLocalFolder } from "../../fs/local-folder";
import { isLoopback, parseUrl } from "../../sdk/text/url";
import { UsageError } from "../output/errors";
import { configurationInClear, localFolder, namesAccount, stackFile } from "./project-files";

const variable = "PULUMI_CONFIG_PASSPHRASE_FILE";

function fileOf(project: string): string {
  const file = join(localFolder(project), "passphrase");
  assertNoLink(file);
  return file;
}
const read = (project: string): string => readFileSync(fileOf(project), "utf8").trim();

/** What the environment says; undefined for nothing, or for a file that cannot be read, which the engine reports. */
const passphraseIn = (env: NodeJS.ProcessEnv): Promise<string | undefined> =>
  environmentPassphrase(env).catch(() => undefined);

const opens = (passphrase: string, salt: string): Promise<boolean> =>
  Crypter.open(passphrase, salt).then(
    () => true,
    () => false,
  );

/** The passphrase, if a stack's secrets are encrypted with it: the stack decides, since the environment may be set for another one. */
export async function localPassphrase(
  project: string,
  stack: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  const salt = stackFile(project, stack).encryptionsalt;
  if (salt === undefined || !existsSync(fileOf(project))) return undefined;
  const other = await passphraseIn(env);
  if (other !== undefined && (await opens(other, salt))) return undefined;
  const passphrase = read(project);
  return (await opens(passphrase, salt)) ? passphrase : undefined;
}

/** The variable for such a stack, where the engine is another process. */
export async function localPassphraseEnv(
  project: string,
  stack: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Record<string, string>> {
  const passphrase = await localPassphrase(project, stack, env);
  if (passphrase === undefined) return {};
  // The variable with the passphrase itself has precedence.
  return env.PULUMI_CONFIG_PASSPHRASE === undefined
    ? { [variable]: fileOf(project) }
    : { PULUMI_CONFIG_PASSPHRASE: passphrase };
}

/** The same for a run on the emulator, for which a passphrase is made; unless the stack has one that only its owner knows. */
export async function makeLocalPassphraseEnv(
  project: string,
  stack: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Record<string, string>> {
  if (stackFile(project, stack).encryptionsalt !== undefined) return localPassphraseEnv(project, stack, env);
  if (hasPassphrase(env)) return {};
  const file = fileOf(project);
  if (!existsSync(file)) {
    makeLocalFolder(localFolder(project));
    writeFileSync(file, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  }
  return { [variable]: file };
}

/** @throws {UsageError} if a stack with the throw-away passphrase would get secrets of an account that is not on this machine */
export async function rejectLocalPassphrase(
  project: string,
  stack: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  if (!namesRealAccount(project, stack, env) || (await localPassphrase(project, stack, env)) === undefined) return;
  throw new UsageError(
    `stack ${stack} encrypts its secrets with .esign/passphrase, which --local has made: that must not protect the secrets of an account. ` +
      "Use another stack for the account: esign stack init <name>. Or give this one a passphrase of yours: " +
      `${variable}=.esign/passphrase pulumi stack change-secrets-provider passphrase --stack ${stack}`,
  );
}

/** True if a stack's configuration or the environment names an account, and not one of this machine. */
function namesRealAccount(project: string, stack: string, env: NodeJS.ProcessEnv): boolean {
  const baseUrl = configurationInClear(project, stack).get("esign:baseUrl") ?? env.ESIGN_BASE_URL;
  if (!baseUrl) return Boolean(env.ESIGN_API_KEY) || namesAccount(project, stack);
  return !isLoopback(parseUrl(baseUrl)?.hostname ?? "");
}
