/** What `esign up --local` and `npm run up` deploy to: the emulator with its data in `.esign/service.json`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJsonText } from "../../fs/json-text";
import { makeLocalFolder } from "../../fs/local-folder";
import type { Configuration } from "../../provider/session/provider-config";
import { keyFingerprint } from "../../sdk/auth/key-fingerprint";
import { UsageError } from "../output/errors";
import { localFolder, namesAccount } from "./project-files";

export interface LocalEmulator {
  /** Environment variables for programs, providers and clients. */
  env: Record<string, string>;
  url: string;
  close(): Promise<void>;
}

/** Whether the stack's account is the emulator, or the account of the environment or the stack's configuration. */
export function usesLocalEmulator(
  options: { local?: boolean; quickstart?: boolean },
  project: string,
  stack: string,
  env: NodeJS.ProcessEnv = process.env,
): boolean {
  const configured = namesAccount(project, stack);
  if (options.local && configured) {
    // Stack configuration overrides the environment, so the run would reach that account.
    throw new UsageError(
      `stack ${stack} configures an account (esign:apiKey or esign:baseUrl), which --local cannot override. Use another stack: --stack <name>. Or make this one the emulator's: esign config rm-all esign:baseUrl esign:apiKey --stack ${stack}`,
    );
  }
  return Boolean(options.local || (options.quickstart && !configured && !env.ESIGN_API_KEY && !env.ESIGN_BASE_URL));
}

/**
 * Starts the emulator with the project's data, or uses the one that has them open already (`esign emulator`). It is of the
 * configured edition, and knows what is let through to it beyond the specification.
 */
export async function startLocalEmulator(
  project: string,
  configuration: Configuration | undefined,
  environment?: NodeJS.ProcessEnv,
): Promise<LocalEmulator> {
  const { start } = await import("../../emulator/index.js");
  const { allowsUnknownValues, configuredEdition } = await import("../../provider/session/provider-config.js");
  const folder = localFolder(project);
  makeLocalFolder(folder);
  const file = join(folder, "service.json");
  try {
    const service = await start({
      file,
      unlistedValues: allowsUnknownValues(configuration, environment),
      edition: configuredEdition(configuration, environment),
    });
    return { url: service.url, env: envOf(service.url, service.keys.partner), close: () => service.close() };
  } catch (error) {
    const { DataFileInUse } = await import("../../emulator/domain/store.js");
    if (!(error instanceof DataFileInUse)) throw error;
    const running = await runningEmulator(file);
    if (running !== undefined) return running;
    throw new UsageError(
      `${error.message}\nTo use the running one, omit --local and set ESIGN_BASE_URL and ESIGN_API_KEY to what it printed.`,
    );
  }
}

/** The account that the environment expects is another one: --local names this one. */
const envOf = (url: string, key: string): Record<string, string> => ({
  ESIGN_BASE_URL: url,
  ESIGN_API_KEY: key,
  ...(process.env.ESIGN_EXPECT_ACCOUNT !== undefined && { ESIGN_EXPECT_ACCOUNT: keyFingerprint(key) }),
});

/** The service that has the project's data open; undefined if none is running. */
export async function findRunningEmulator(project: string): Promise<LocalEmulator | undefined> {
  const file = join(localFolder(project), "service.json");
  return existsSync(file) ? runningEmulator(file) : undefined;
}

/** The service that has a file open, when it answers where the file says and knows the file's key. */
async function runningEmulator(file: string): Promise<LocalEmulator | undefined> {
  const [{ data }, { connect }] = [
    await import("../../emulator/domain/data-schema.js"),
    await import("../../sdk/index.js"),
  ];
  const { port, accounts } = data.parse(parseJsonText(readFileSync(file, "utf8")));
  const key = accounts.find((account) => account.partner)?.key;
  if (port === undefined || key === undefined) return undefined;
  const url = `http://127.0.0.1:${port}`;
  try {
    await connect({ baseUrl: url, apiKey: key, retries: 0, timeout: 2000 }).branding.get();
    return { url, env: envOf(url, key), close: async () => undefined };
  } catch {
    return undefined;
  }
}
