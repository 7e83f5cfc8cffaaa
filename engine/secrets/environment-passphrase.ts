/**
 * The passphrase that the environment has: an empty one counts, an empty name of a file does not.
 *
 * Used for: PULUMI_CONFIG_PASSPHRASE and PULUMI_CONFIG_PASSPHRASE_FILE.
 */
import { readText } from "../../fs/optional-files";
import { EngineError, messageOf } from "../errors";

export const hasPassphrase = (env: NodeJS.ProcessEnv): boolean =>
  env.PULUMI_CONFIG_PASSPHRASE !== undefined || Boolean(env.PULUMI_CONFIG_PASSPHRASE_FILE);

/** Undefined if it has none. @throws {EngineError} if the file that it names cannot be read */
export async function environmentPassphrase(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { PULUMI_CONFIG_PASSPHRASE: passphrase, PULUMI_CONFIG_PASSPHRASE_FILE: file } = env;
  if (passphrase !== undefined || !file) return passphrase;
  const refuse = (what: string, cause?: unknown): never => {
    throw new EngineError(`PULUMI_CONFIG_PASSPHRASE_FILE names ${file}, which ${what}`, "passphrase", { cause });
  };
  const text = await readText(file).catch((error) => refuse(`cannot be read: ${messageOf(error)}`, error));
  return text === undefined ? refuse("does not exist") : text.trim();
}
