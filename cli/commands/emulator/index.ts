/** `esign emulator`: the local emulator as a process of its own, for other programs and languages. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Emulator, Options, SettingsInput } from "../../../emulator/index.js";
import { withoutPrototypeKeys } from "../../../fs/prototype-keys";
import { parseStrictly } from "../../../fs/strict-yaml";
import { describeYamlProblem } from "../../../fs/yaml-problem";
import { notOneOf } from "../../../sdk/text/did-you-mean";
import { parsePort } from "../../option-values";
import { asUsageError } from "../../output/describe-error";
import { UsageError } from "../../output/errors";
import { note, setMustFinish } from "../../output/terminal";
import { readNamedFile } from "../../references/named-file";
import { rejectUnknownCommand } from "../reject-unknown-command";
import { announce, printEntry } from "./announce";
import { parseFault } from "./parse-fault";
import { addTrigger } from "./trigger";

interface EmulatorOptions {
  port?: number;
  host?: string;
  allowHost?: string[];
  notifyHost?: string[];
  controlToken?: string;
  exitWithStdin?: boolean;
  file?: string;
  memory?: boolean;
  seed?: string;
  settings?: string;
  fault?: object[];
  faultSeed?: number;
  latency?: number;
  ratePerSecond?: number;
  rateConcurrent?: number;
  pageCap?: number;
  nextStyle?: string;
  idStyle?: string;
  errorShape?: string;
  emptyList?: string;
  listOrder?: string;
  logoAddress?: string;
  textStyle?: string;
  unlistedValues?: boolean;
  lagMs?: number;
  lagLists?: number;
  clockSkew?: number;
  processingTime?: number;
  notifications: boolean;
  minimalNotifications?: boolean;
  signedNotifications?: boolean;
  edition?: string;
  lenient?: string[];
  strict?: string[];
  bodyTypes?: string;
  tls?: boolean;
  tlsCert?: string;
  tlsKey?: string;
  log?: boolean;
  json?: boolean;
  showKeys?: boolean;
}

const number = (text: string): number => {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new InvalidArgumentError("It must be a number.");
  return value;
};

const collect = (text: string, before: string[] = []): string[] => [...before, text];

export function addEmulator(program: Command): void {
  const command = program
    .command("emulator")
    .alias("service")
    .description("Run the local emulator: the whole API on this machine, to develop and test against.")
    .option("--port <n>", "port (default: the last one, else any free one)", parsePort)
    .option("--host <address>", "network address to listen on (default: 127.0.0.1)")
    .option("--allow-host <name>", "other name that clients call it by; repeatable", collect)
    .option("--notify-host <name>", "other host whose webhooks are called, such as a container; repeatable", collect)
    .addOption(
      new Option("--control-token <token>", "what the status page and the control endpoints require").env(
        "ESIGN_EMULATOR_CONTROL_TOKEN",
      ),
    )
    .option("--exit-with-stdin", "end when stdin ends, so that it does not outlive the program that started it")
    .option("--file <path>", "JSON file for the data (default: .esign/service.json)")
    .option("--memory", "keep the data in memory only")
    .option("--seed <file>", "initial data, in JSON or YAML")
    .option("--settings <file>", "settings, in JSON or YAML; options override them")
    .option("--tls", "HTTPS, with a self-signed certificate generated at start")
    .option("--tls-cert <file>", "certificate in PEM, with --tls-key")
    .option("--tls-key <file>", "its key in PEM")
    .option("--show-keys", "print API keys even if stdout is not a terminal")
    .option("--log", "print a line for each request")
    .option("-j, --json", "print JSON lines: the start, then requests with --log");
  addFaultOptions(command);
  addBehaviourOptions(command);
  command
    .addHelpText(
      "after",
      `
Examples:
  $ esign emulator                             then open the printed URL
  $ esign emulator --memory --port 4010 --json            for scripts
  $ esign emulator --fault cut-after,probability=0.3,method=POST
  $ esign emulator --rate-per-second 10 --lag-lists 2
  $ esign emulator trigger all --to http://127.0.0.1:3000/esign    test events

While it runs, POST /_control/faults and PATCH /_control/settings change
faults and settings; GET /_control lists the rest.`,
    )
    .allowExcessArguments()
    .action((options: EmulatorOptions) => {
      rejectUnknownCommand(command, command.args);
      return serve(options);
    });
  addTrigger(command);
}

function addFaultOptions(command: Command): void {
  command
    .optionsGroup("Fault injection:")
    .option("--fault <fault>", "kind,member=value,… or JSON; repeatable", parseFault)
    .option("--fault-seed <n>", "seed of the random numbers (default: 1)", number)
    .option("--latency <ms>", "milliseconds before each response", number)
    .option("--rate-per-second <n>", "respond 429 above this rate per key", number)
    .option("--rate-concurrent <n>", "respond 429 above so many requests at once per key", number)
    .option("--lag-ms <ms>", "lists show writes so much later", number)
    .option("--lag-lists <n>", "lists show writes after so many listings", number)
    .option("--clock-skew <ms>", "offset of the service's clock", number);
}

function addBehaviourOptions(command: Command): void {
  const choice = (flags: string, text: string, values: string[]) =>
    command.addOption(new Option(flags, text).choices(values));
  command
    .optionsGroup("Unspecified behaviour:")
    .option("--page-cap <n>", "largest page; above it, pages have 10 records (default: 50)", number);
  choice("--edition <edition>", "the service of the specification (default) or of today", ["specification", "current"]);
  choice("--body-types <types>", "bodies of the edition (default), or any: form fields and JSON", ["edition", "any"]);
  choice("--next-style <style>", "next on the last page", ["absent", "null", "empty", "same", "foreign"]);
  choice("--id-style <style>", "type of IDs in responses", ["mixed", "string", "integer"]);
  choice("--error-shape <shape>", "members of errors", ["plain", "extended"]);
  choice("--empty-list <response>", "response for an empty list", ["list", "error"]);
  choice("--list-order <first>", "what comes first in lists", ["oldest", "newest", "id"]);
  choice("--logo-address <address>", "URL of a logo: stable, or fresh at each read", ["stable", "fresh"]);
  choice("--text-style <style>", "how the content of email templates is stored", ["exact", "crlf", "trimmed"]);
  command
    .option("--lenient <name>", "do not refuse what no document refuses, by its name, or all; repeatable", collect)
    .option("--strict <name>", "refuse that, also where it is off by default; repeatable", collect)
    .option("--unlisted-values", "know types of email templates and webhooks that the API does not list")
    .option("--processing-time <ms>", "from the creation of an envelope to its sending (default: 200)", number)
    .option("--no-notifications", "do not call registered webhooks (only loopback URLs and --notify-host are)")
    .option("--minimal-notifications", "notifications are JSON with IDs only; with --edition current")
    .option("--signed-notifications", "webhooks have a secret that signs notifications; with --edition current");
}

async function serve(options: EmulatorOptions): Promise<void> {
  const service = await startEmulator(options).catch((error) => {
    throw asUsageError(error);
  });
  const ended = new Promise<void>((resolve, reject) => {
    let ending = false;
    const end = () => {
      // The second Ctrl-C does not wait.
      if (ending) process.exit(130);
      ending = true;
      if (!options.json) note("Stopping.");
      service.close().then(resolve, reject);
    };
    process.on("SIGINT", end).on("SIGTERM", end);
    // A killed program closes its end of the pipe.
    if (options.exitWithStdin) process.stdin.on("error", end).on("end", end).resume();
  });
  // It goes on when its output is closed.
  setMustFinish(true);
  announce(service, options);
  await ended;
}

async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { start } = await import("../../../emulator/index.js");
  const { parseSettings } = await import("../../../emulator/domain/emulator-settings.js");
  const { refusalNames } = await import("../../../emulator/domain/strictness.js");
  const { faultKinds } = await import("../../../emulator/domain/fault.js");
  rejectUnknownNames(options, refusalNames, faultKinds);
  const settings = settingsOf(options, refusalNames);
  // Checked by themselves: `start` would accept a port in a file of settings.
  parseSettings(settings);
  const fixed = startOptions(options);
  const isKept = fixed.file !== undefined && existsSync(fixed.file);
  const service = await start({ ...settings, ...fixed });
  if (isKept && fixed.seed !== undefined) {
    note(`${fixed.file} exists: its data is used. The seed applies to new files and resets.`);
  }
  return service;
}

/** Names in options, whose list is too long for a help text. */
function rejectUnknownNames(options: EmulatorOptions, refusals: readonly string[], kinds: readonly string[]): void {
  const reject = (option: string, name: string, names: readonly string[]) => {
    if (!names.includes(name)) throw new UsageError(`${option}: ${JSON.stringify(name)} ${notOneOf(name, names)}`);
  };
  for (const name of options.lenient ?? []) reject("--lenient", name, [...refusals, "all"]);
  for (const name of options.strict ?? []) reject("--strict", name, refusals);
  // Of another type, the settings reject it.
  for (const { kind } of (options.fault ?? []) as { kind?: unknown }[])
    if (typeof kind === "string") reject("--fault", kind, kinds);
}

function startOptions(options: EmulatorOptions): Options {
  if ((options.tlsCert === undefined) !== (options.tlsKey === undefined)) {
    throw new UsageError("--tls-cert and --tls-key go together");
  }
  if (options.memory && options.file !== undefined) throw new UsageError("--memory and --file exclude each other");
  const { tlsCert: certFile, tlsKey: keyFile } = options;
  for (const file of [certFile, keyFile]) if (file !== undefined) readNamedFile(file);
  return {
    port: options.port,
    host: options.host,
    allowHosts: options.allowHost,
    notifyHosts: options.notifyHost,
    controlToken: options.controlToken,
    file: options.memory ? undefined : (options.file ?? join(".esign", "service.json")),
    seed: options.seed === undefined ? undefined : (readConfig(options.seed) as NonNullable<Options["seed"]>),
    tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : options.tls,
    log: options.log ? (entry) => printEntry(entry, options.json ?? false) : undefined,
  };
}

/** The settings of the file, overridden by the options, member by member. */
/** `names`: those of all refusals. */
function settingsOf(options: EmulatorOptions, names: readonly string[]): SettingsInput {
  const lenient = options.lenient?.flatMap((name) => (name === "all" ? names : [name])) ?? [];
  const switched = [...lenient.map((name) => [name, false]), ...(options.strict ?? []).map((name) => [name, true])];
  const flags: Record<string, unknown> = {
    faults: options.fault,
    faultSeed: options.faultSeed,
    latency: options.latency,
    rateLimit: group({ perSecond: options.ratePerSecond, concurrent: options.rateConcurrent }),
    pageCap: group({ limit: options.pageCap }),
    nextStyle: options.nextStyle,
    idStyle: options.idStyle,
    errorShape: options.errorShape,
    emptyList: options.emptyList,
    listOrder: options.listOrder,
    logoAddress: options.logoAddress,
    textStyle: options.textStyle,
    unlistedValues: options.unlistedValues,
    listLag: group({ ms: options.lagMs, lists: options.lagLists }),
    clockSkew: options.clockSkew,
    processingTime: options.processingTime,
    edition: options.edition,
    bodyTypes: options.bodyTypes,
    strictness: group(Object.fromEntries(switched)),
    notifications: group({
      enabled: options.notifications ? undefined : false,
      minimal: options.minimalNotifications,
      signed: options.signedNotifications,
    }),
  };
  const fromFile = options.settings === undefined ? {} : (readConfig(options.settings) ?? {});
  if (!isGroup(fromFile)) throw new UsageError(`${options.settings}: expected settings by name`);
  const settings = { ...fromFile };
  for (const [name, value] of Object.entries(flags)) {
    if (value === undefined) continue;
    const before = settings[name];
    settings[name] = isGroup(value) && isGroup(before) ? { ...before, ...value } : value;
  }
  return settings as SettingsInput;
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The defined members, or undefined without any. */
function group(members: Record<string, unknown>): Record<string, unknown> | undefined {
  const defined = Object.entries(members).filter(([, value]) => value !== undefined);
  return defined.length > 0 ? Object.fromEntries(defined) : undefined;
}

/** JSON is YAML, so one reader serves. */
function readConfig(file: string): unknown {
  const text = readNamedFile(file).toString();
  try {
    return withoutPrototypeKeys(parseStrictly(text));
  } catch (error) {
    throw new UsageError(`${file}: ${describeYamlProblem(text, error)}`);
  }
}
