/**
 * What `esign up --local` and `npm run up` need on a fresh machine: the emulator with its data in `.esign/service.json`, and
 * a passphrase in `.esign/passphrase`.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../output/exit-codes";
import { localFolder, namesAccount, stackFile } from "./project-files";

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
      `stack ${stack} configures an account (esign:apiKey or esign:baseUrl), which --local cannot override. Use another stack: --stack <name>`,
    );
  }
  return Boolean(options.local || (options.quickstart && !configured && !env.ESIGN_API_KEY && !env.ESIGN_BASE_URL));
}

/**
 * Starts the emulator with the project's data, or uses the one that has them open already (`esign emulator`). What is let
 * through to it beyond the specification it is to know.
 */
export async function startLocalEmulator(project: string, unlistedValues: boolean): Promise<LocalEmulator> {
  const { start } = await import("../../emulator/index.js");
  const folder = localFolder(project);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "service.json");
  try {
    const service = await start({ file, unlistedValues });
    return { url: service.url, env: envOf(service.url, service.keys.partner), close: () => service.close() };
  } catch (error) {
    const message = (error as Error).message;
    if (!message.includes("is in use by")) throw error;
    const running = await runningEmulator(file);
    if (running !== undefined) return running;
    throw new UsageError(
      `${message}\nTo use the running one, omit --local and set ESIGN_BASE_URL and ESIGN_API_KEY to what it printed.`,
    );
  }
}

const envOf = (url: string, key: string) => ({ ESIGN_BASE_URL: url, ESIGN_API_KEY: key });

/** The service that has a file open, when it answers where the file says and knows the file's key. */
async function runningEmulator(file: string): Promise<LocalEmulator | undefined> {
  const [{ data }, { connect }] = [await import("../../emulator/domain/schema.js"), await import("../../sdk/index.js")];
  const { port, accounts } = data.parse(JSON.parse(readFileSync(file, "utf8")));
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

const passphraseFile = (project: string): string => join(localFolder(project), "passphrase");

/**
 * The variable that names the project's own passphrase file, when there is one and nothing else is set. With `create`, a
 * file is made for a stack that has no secrets yet.
 */
export function passphraseEnv(
  project: string,
  stack: string,
  create: boolean,
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  // An empty passphrase counts, an empty name of a file does not: as for the Pulumi CLI.
  if (env.PULUMI_CONFIG_PASSPHRASE !== undefined || env.PULUMI_CONFIG_PASSPHRASE_FILE) return {};
  const file = passphraseFile(project);
  if (!existsSync(file)) {
    // A stack that has a salt was made with another passphrase, which only its owner knows.
    if (!create || stackFile(project, stack).encryptionsalt !== undefined) return {};
    mkdirSync(localFolder(project), { recursive: true });
    writeFileSync(file, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  }
  return { PULUMI_CONFIG_PASSPHRASE_FILE: file };
}
