/**
 * Which account a command talks to: the local service, that of a stack's configuration, or that of the environment; else that of
 * the selected stack, unless something is written.
 */
import { type Command, Option } from "commander";
import {
  allowsUnknownValues,
  type Configuration,
  connectOptions,
  describeIssues,
  resolveSettings,
} from "../../provider/session/settings";
import { type Client, type ConnectOptions, connect } from "../../sdk/index";
import { UsageError } from "../output/exit-codes";
import { oneLine } from "../output/table";
import { type LocalEmulator, startLocalEmulator } from "../project/local-emulator";
import { projectFolder } from "../project/project-files";
import { openConfiguration, openProject } from "../project/session";

export interface ConnectionOptions {
  local?: boolean;
  stack?: string;
  baseUrl?: string;
  account?: string;
  /** Where the variables are (process.env). */
  env?: NodeJS.ProcessEnv;
  /** Something is going to be written: then `esign:expectAccount` must allow the key. */
  writes?: boolean;
  /** Refuses bad input by throwing, before anything is asked or requested. */
  check?: (allowUnknownValues: boolean) => void;
  onRequest?: ConnectOptions["onRequest"];
  onResponse?: ConnectOptions["onResponse"];
}

export interface Connection {
  client: Client;
  /** How the account was found, for messages. */
  source: string;
  /** Fingerprints of the keys that may write (`esign:expectAccount`), where that is said. */
  expected?: readonly string[];
  /** The key, for keeping it encrypted; that of the partner for a sub account. Secret. */
  apiKey?: string;
  /** Id of the sub account that the client speaks for. */
  company?: string;
  close(): Promise<void>;
}

export function withAccountOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--local", "the local service, with the project's data in .esign/service.json").conflicts([
        "stack",
        "baseUrl",
      ]),
    )
    .option(
      "-s, --stack <name>",
      "the account that this stack's configuration names; default, to read: the selected one where ESIGN_API_KEY is not set",
    )
    .option(
      "--base-url <url>",
      "address of the service; default: that of the stack's configuration, else ESIGN_BASE_URL",
    )
    .option("--account <company>", "a sub account of this partner: the company's id or name");
}

export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  try {
    options.check?.(true);
  } catch {
    // Wrong whatever the settings are: then all that is wrong.
    options.check?.(false);
  }
  const found = await findAccount(options);
  try {
    options.check?.(found.settings.allowUnknownValues ?? false);
    const partner = connect(found.settings);
    const { expected } = found;
    if (options.writes && expected !== undefined) await assertExpectedAccount(partner, expected);
    const company = options.account === undefined ? undefined : await companyId(partner, options.account);
    const client = company === undefined ? partner : partner.as(company);
    const { apiKey } = found.settings;
    return {
      client,
      source: found.source,
      ...(expected && { expected }),
      ...(typeof apiKey === "string" && { apiKey }),
      ...(company !== undefined && { company }),
      close: async () => found.local?.close(),
    };
  } catch (error) {
    await found.local?.close();
    throw error;
  }
}

async function assertExpectedAccount(partner: Client, expected: readonly string[]): Promise<void> {
  const present = await partner.keyFingerprint();
  if (expected.includes(present)) return;
  throw new UsageError(
    `nothing was sent: the key in use (fingerprint ${present}) is none of those that may write here; use the right key, or add the fingerprint to esign:expectAccount (ESIGN_EXPECT_ACCOUNT)`,
  );
}

interface Found {
  settings: ConnectOptions;
  expected?: readonly string[];
  source: string;
  local?: LocalEmulator;
}

async function findAccount(options: ConnectionOptions): Promise<Found> {
  const hooks = {
    ...(options.onRequest && { onRequest: options.onRequest }),
    ...(options.onResponse && { onResponse: options.onResponse }),
  };
  if (options.local) {
    const allowUnknownValues = allowsUnknownValues(undefined, options.env);
    const local = await startLocalEmulator(projectFolder(), allowUnknownValues);
    const { ESIGN_BASE_URL: baseUrl = "", ESIGN_API_KEY: apiKey = "" } = local.env;
    return { settings: { baseUrl, apiKey, allowUnknownValues, ...hooks }, source: "the local service", local };
  }
  const given = options.env ?? process.env;
  const env = options.baseUrl === undefined ? given : { ...given, ESIGN_BASE_URL: options.baseUrl };
  const selected = options.stack === undefined && !env.ESIGN_API_KEY ? await selectedStack() : undefined;
  // What is written to is named by whoever writes.
  const stack = options.stack ?? (options.writes ? undefined : selected);
  const configuration = stack === undefined ? undefined : await stackConfiguration(stack, options.baseUrl);
  const { settings, issues } = resolveSettings(configuration, env);
  if (issues !== undefined) {
    const { ESIGN_BASE_URL: address, ESIGN_API_KEY: key } = env;
    if (options.stack !== undefined || (address && key)) throw new UsageError(describeIssues(issues));
    const named =
      address || key || configuration !== undefined ? "the account is not named in full" : "no account is named";
    throw new UsageError(
      [
        `${named} (${describeIssues(issues)}). Choose one:`,
        "    ESIGN_BASE_URL and ESIGN_API_KEY in the environment",
        selected === undefined
          ? "    --stack <name>    the account of a stack's configuration"
          : `    --stack ${selected}    the account of the selected stack's configuration`,
        "    --local           the local service",
      ].join("\n"),
    );
  }
  return {
    settings: { ...connectOptions(settings), ...hooks },
    ...((settings.expectAccount ?? []).length > 0 && { expected: settings.expectAccount! }),
    source: configuration === undefined ? "the environment" : `stack ${stack}`,
  };
}

async function selectedStack(): Promise<string | undefined> {
  try {
    return await (await openProject()).currentStack();
  } catch {
    // No project here: the environment has to name the account.
    return undefined;
  }
}

async function stackConfiguration(name: string, baseUrl: string | undefined): Promise<Configuration> {
  const { configuration } = await openConfiguration(name);
  const values = await configuration.config.list({ showSecrets: true });
  // What is said on the command line comes before what is written in a file.
  return { get: (key) => (key === "esign:baseUrl" && baseUrl) || values.get(key)?.value };
}

/** A company by its id, or by its name when only one has it. */
async function companyId(partner: Client, account: string): Promise<string> {
  if (/^\d+$/.test(account)) return account;
  const wanted = account.trim().toLowerCase();
  const names: string[] = [];
  const found: string[] = [];
  for await (const company of partner.companies.list()) {
    names.push(oneLine(company.company_name));
    if (company.company_name.trim().toLowerCase() === wanted) found.push(company.company_id);
  }
  if (found.length === 1) return found[0] as string;
  if (found.length > 1) {
    throw new UsageError(`${found.length} companies are called ${account}: name one by its id, ${found.join(" or ")}`);
  }
  const known = names.slice(0, 10).join(", ") + (names.length > 10 ? ", …" : "");
  throw new UsageError(`there is no company ${account}${known === "" ? "" : `; there are ${known}`}`);
}
