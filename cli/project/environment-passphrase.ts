/** The passphrase that the environment has, read as the Pulumi CLI reads it: an empty one counts, an empty name of a file does not. */
import { existsSync, readFileSync } from "node:fs";
import { UsageError } from "../output/errors";

export const hasPassphrase = (env: NodeJS.ProcessEnv): boolean =>
  env.PULUMI_CONFIG_PASSPHRASE !== undefined || Boolean(env.PULUMI_CONFIG_PASSPHRASE_FILE);

/** Undefined if it has none. @throws if the file that it names cannot be read */
export function environmentPassphrase(env: NodeJS.ProcessEnv): string | undefined {
  const { PULUMI_CONFIG_PASSPHRASE: passphrase, PULUMI_CONFIG_PASSPHRASE_FILE: file } = env;
  if (passphrase !== undefined || !file) return passphrase;
  if (!existsSync(file)) throw new UsageError(`PULUMI_CONFIG_PASSPHRASE_FILE names ${file}, which does not exist`);
  return readFileSync(file, "utf8").trim();
}
