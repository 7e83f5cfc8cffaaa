/**
 * Which account a command talks to: the local emulator, that of a stack's configuration, or that of the environment; else
 * that of the selected stack, unless the command writes.
 */
import { type Command, Option } from "commander";
import { normalizeName } from "../../definitions/text/normalize";
import { describeIssues } from "../../provider/session/config-issues";
import { assertExpectedKey } from "../../provider/session/expected-key";
import {
  allowsUnknownValues,
  type Configuration,
  configuredEdition,
  connectOptions,
  resolveConfig,
} from "../../provider/session/provider-config";
import { type Client, type ConnectOptions, connect } from "../../sdk/index";
import { announceWaits } from "../../sdk/request/announce-waits";
import type { InputOptions } from "../../sdk/request/validate-input";
import { UsageError } from "../output/errors";
import { oneLine } from "../output/table";
import { note } from "../output/terminal";
import { type LocalEmulator, startLocalEmulator } from "../project/local-emulator";
import { openConfiguration, openProject } from "../project/open-project";
import { projectFolder } from "../project/project-files";

export interface ConnectionOptions {
  local?: boolean;
  stack?: string;
  baseUrl?: string;
  /** A subaccount, by ID or name. */
  company?: string;
  /** Where the variables are (process.env). */
  env?: NodeJS.ProcessEnv;
  /** Something is going to be written: then `esign:expectAccount` must allow the key. */
  writes?: boolean;
  /** Refuses bad input by throwing, before anything is asked or requested. */
  check?: (options: InputOptions) => void;
  /** Called between two checks, when the account is found. */
  readStdin?: () => void;
  onRequest?: ConnectOptions["onRequest"];
  onResponse?: ConnectOptions["onResponse"];
}

export interface Connection {
  client: Client;
  /** Where the account is configured, for messages: `stack dev`. */
  source: string;
  /** Fingerprints of the keys that may write (`esign:expectAccount`), if configured. */
  expected?: readonly string[];
  /** The key, to store it encrypted; the partner's for a subaccount. Secret. */
  apiKey?: string;
  /** ID of the subaccount that the client acts for. */
  company?: string;
  close(): Promise<void>;
}

export const withAccountOptions = (command: Command): Command =>
  withKeyOptions(command).option("--company <company>", "use this subaccount of the partner, by ID or name");

/** Those of the account of a key alone. */
export function withKeyOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--local", "use the local emulator (data in .esign/service.json)").conflicts(["stack", "baseUrl"]),
    )
    .option(
      "-s, --stack <name>",
      "use this stack's account (default: ESIGN_API_KEY, else the selected stack; writes never use the default)",
    )
    .option("--base-url <url>", "base URL (default: of the stack, else ESIGN_BASE_URL)");
}

export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  try {
    options.check?.({ edition: "current", allowUnknownValues: true });
  } catch {
    // Wrong whatever the settings are: then all that is wrong.
    options.check?.({ edition: "specification", allowUnknownValues: false });
  }
  const found = await findAccount(options);
  try {
    const { edition = "specification", allowUnknownValues = false } = found.settings;
    options.readStdin?.();
    options.check?.({ edition, allowUnknownValues });
    const partner = connect({ ...found.settings, onWait: announceWaits(note) });
    const { expected } = found;
    if (options.writes && expected !== undefined) await assertExpectedAccount(partner, expected);
    const company = options.company === undefined ? undefined : await companyId(partner, options.company);
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
  try {
    assertExpectedKey(present, expected);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

interface Found {
  settings: ConnectOptions;
  expected?: readonly string[];
  source: string;
  local?: LocalEmulator;
}

async function findAccount(options: ConnectionOptions): Promise<Found> {
  const callbacks = {
    ...(options.onRequest && { onRequest: options.onRequest }),
    ...(options.onResponse && { onResponse: options.onResponse }),
  };
  if (options.local) {
    const allowUnknownValues = allowsUnknownValues(undefined, options.env);
    const edition = configuredEdition(undefined, options.env);
    const local = await startLocalEmulator(projectFolder(), undefined, options.env);
    const { ESIGN_BASE_URL: baseUrl = "", ESIGN_API_KEY: apiKey = "" } = local.env;
    const settings = { baseUrl, apiKey, allowUnknownValues, ...(edition && { edition }), ...callbacks };
    return { settings, source: "the local emulator", local };
  }
  const environment = options.env ?? process.env;
  const env = options.baseUrl === undefined ? environment : { ...environment, ESIGN_BASE_URL: options.baseUrl };
  const selected = options.stack === undefined && !env.ESIGN_API_KEY ? await selectedStack() : undefined;
  // What is written to is named by whoever writes.
  const stack = options.stack ?? (options.writes ? undefined : selected);
  const configuration = stack === undefined ? undefined : await stackConfiguration(stack, options.baseUrl);
  const { config, issues } = resolveConfig(configuration, env);
  if (issues !== undefined) {
    const { ESIGN_BASE_URL: address, ESIGN_API_KEY: key } = env;
    if (options.stack !== undefined || (address && key)) throw new UsageError(describeIssues(issues));
    const isPartial = address || key || configuration !== undefined;
    const account = stack === undefined ? "the account" : `the account of the selected stack ${stack}`;
    throw new UsageError(
      [
        isPartial ? `${account} is not fully configured (${describeIssues(issues)}).` : "no account configured.",
        ...waysToName(stack === undefined ? selected : undefined),
      ].join("\n"),
    );
  }
  return {
    settings: { ...connectOptions(config), ...callbacks },
    ...((config.expectAccount ?? []).length > 0 && { expected: config.expectAccount! }),
    source:
      configuration !== undefined ? `stack ${stack}` : options.baseUrl === undefined ? "ESIGN_BASE_URL" : "--base-url",
  };
}

/** The lines that say how to name an account. @param selected a stack that was not tried */
function waysToName(selected: string | undefined): string[] {
  const ways = [
    ["export ESIGN_BASE_URL=… ESIGN_API_KEY=…", "the account's address and key"],
    selected === undefined
      ? ["--stack <name>", "a stack that has esign:apiKey and esign:baseUrl"]
      : [`--stack ${selected}`, "the selected stack"],
    ["--local", "the local emulator"],
  ] as const;
  const width = Math.max(...ways.map(([way]) => way.length));
  return ways.map(([way, meaning], at) => `    ${way.padEnd(width)}   ${meaning}${at < ways.length - 1 ? ", or" : ""}`);
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

/** The ID of a company, from its ID or its name. */
async function companyId(partner: Client, account: string): Promise<string> {
  if (/^\d+$/.test(account)) return account;
  const named = (name: string) => normalizeName(name).toLowerCase();
  const names: string[] = [];
  const found: string[] = [];
  for await (const company of partner.companies.list()) {
    names.push(oneLine(company.company_name));
    if (named(company.company_name) === named(account)) found.push(company.company_id);
  }
  if (found.length === 1) return found[0] as string;
  if (found.length > 1) {
    throw new UsageError(`${found.length} companies are called ${account}: use an ID, ${found.join(" or ")}`);
  }
  const list = names.slice(0, 10).join(", ") + (names.length > 10 ? ", …" : "");
  throw new UsageError(`there is no company ${account}${list === "" ? "" : `; the partner has ${list}`}`);
}
