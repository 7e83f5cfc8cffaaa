/** Asks for the passphrase of a stack. */

import { hasPassphrase } from "../../engine/secrets/environment-passphrase";
import { UsageError } from "../output/errors";
import { ask, isInteractive } from "../output/terminal";
import { projectFolder, stackFile } from "./project-files";

export const askPassphrase = async (purpose: "existing" | "new", stack: string): Promise<string> => {
  if (purpose === "existing") return ask(`Passphrase of stack ${stack}: `, { hidden: true });
  const first = await ask(
    `New passphrase to encrypt the secrets of stack ${stack} (keep it: without it they are lost): `,
    { hidden: true },
  );
  if (first !== (await ask("Repeat it: ", { hidden: true })))
    throw new UsageError("the passphrases differ; nothing was changed");
  return first;
};

/** Asks for the passphrase on behalf of the Pulumi CLI, which does not ask without a terminal. Returns variables for its environment. */
export async function passphraseEnv(stack: string, env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const isEncrypted = stackFile(projectFolder(), stack).encryptionsalt !== undefined;
  if (hasPassphrase(env) || !isEncrypted || !isInteractive()) return {};
  return { PULUMI_CONFIG_PASSPHRASE: await askPassphrase("existing", stack) };
}
