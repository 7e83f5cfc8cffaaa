/** `esign service`: the local service as a process of its own, for other programs and other languages. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parse } from "yaml";
import type { Emulator, LogEntry, Options, SettingsInput } from "../../emulator/index.js";
import { UsageError } from "../output/exit-codes";
import { colours, note, print, setMustFinish } from "../output/terminal";

interface EmulatorOptions {
  port?: number;
  host?: string;
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
  textStyle?: string;
  unlistedValues?: boolean;
  lagMs?: number;
  lagLists?: number;
  clockSkew?: number;
  processingTime?: number;
  notifications: boolean;
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

/** `cut-after,probability=0.3,method=POST`, or the fault as JSON. */
function fault(text: string, before: object[] = []): object[] {
  if (text.startsWith("{")) {
    try {
      return [...before, JSON.parse(text)];
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  }
  const [kind, ...members] = text.split(",");
  const entries = members.map((member) => {
    const at = member.indexOf("=");
    if (at < 1) throw new InvalidArgumentError(`"${member}" must be of the form member=value.`);
    const [name, value] = [member.slice(0, at), member.slice(at + 1)];
    const isText = name === "message" || !/^(-?(0|[1-9]\d*)(\.\d+)?|true|false)$/.test(value);
    return [name, isText ? value : JSON.parse(value)];
  });
  return [...before, { kind, ...Object.fromEntries(entries) }];
}

export function addEmulator(program: Command): void {
  program
    .command("service")
    .description("Runs the local service: the whole interface on this machine, to try and test against.")
    .option("-p, --port <n>", "port (the one of the last time, else a free one)", number)
    .option("--host <address>", "address to listen on (127.0.0.1)")
    .option("--file <path>", "JSON file that holds the data (.esign/service.json)")
    .option("--memory", "keep the data in memory only")
    .option("--seed <file>", "what the data begins with, as JSON or YAML")
    .option("--settings <file>", "any of the settings, as JSON or YAML; options come on top")
    .option("--tls", "HTTPS, with a certificate that is made on the spot")
    .option("--tls-cert <file>", "certificate in PEM, with --tls-key")
    .option("--tls-key <file>", "its key in PEM")
    .option("--show-keys", "print the accounts' keys, also when nobody is looking")
    .option("--log", "print a line for each request")
    .option("--json", "print JSON lines: the service first, then requests with --log")
    .optionsGroup("What goes wrong:")
    .option("--fault <fault>", "kind,member=value,… or JSON; can be repeated", fault)
    .option("--fault-seed <n>", "start of the generator of chances (1)", number)
    .option("--latency <ms>", "milliseconds before each answer", number)
    .option("--rate-per-second <n>", "answer 429 above so many requests per second and key", number)
    .option("--rate-concurrent <n>", "answer 429 above so many requests in flight per key", number)
    .option("--lag-ms <ms>", "writes show in lists so much later", number)
    .option("--lag-lists <n>", "writes show in lists so many listings later", number)
    .option("--clock-skew <ms>", "the service's clock is wrong by so much", number)
    .optionsGroup("Where the specification is silent:")
    .option("--page-cap <n>", "largest page; above it ten records come (50)", number)
    .addOption(
      new Option("--next-style <style>", "next on the last page (absent)").choices([
        "absent",
        "null",
        "empty",
        "same",
        "foreign",
      ]),
    )
    .addOption(
      new Option("--id-style <style>", "type of ids in answers (mixed)").choices(["mixed", "string", "integer"]),
    )
    .addOption(new Option("--error-shape <shape>", "members of errors (plain)").choices(["plain", "extended"]))
    .addOption(new Option("--empty-list <answer>", "answer for a list without items (list)").choices(["list", "error"]))
    .addOption(
      new Option("--list-order <first>", "what comes first in lists (oldest)").choices(["oldest", "newest", "id"]),
    )
    .addOption(
      new Option("--text-style <style>", "what is done to e-mail texts (exact)").choices(["exact", "crlf", "trimmed"]),
    )
    .option("--unlisted-values", "know e-mail and webhook types beyond the specification, as newer versions do")
    .option("--processing-time <ms>", "between the creation of an envelope and its sending (200)", number)
    .option("--no-notifications", "do not call registered webhooks (only loopback addresses are called)")
    .addHelpText(
      "after",
      `
Examples:
  $ esign service                                          data in .esign/service.json, status page at the printed address
  $ esign service --memory --port 4010 --json              for scripts
  $ esign service --fault cut-after,probability=0.3,method=POST --fault status,status=503,probability=0.05
  $ esign service --rate-per-second 10 --lag-lists 2

While it runs, POST /_control/faults and PATCH /_control/settings change what goes wrong; GET /_control lists the rest.`,
    )
    .action(serve);
}

async function serve(options: EmulatorOptions): Promise<void> {
  const service = await startEmulator(options).catch((error: Error) => {
    throw new UsageError(error.message);
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
  });
  // It serves on when nobody reads its lines any more.
  setMustFinish(true);
  announce(service, options);
  await ended;
}

async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { start } = await import("../../emulator/index.js");
  const { parseSettings } = await import("../../emulator/domain/settings.js");
  const settings = settingsOf(options);
  // By themselves: `start` would take a port that stands in a file of settings.
  parseSettings(settings);
  const fixed = startOptions(options);
  const isKept = fixed.file !== undefined && existsSync(fixed.file);
  const service = await start({ ...settings, ...fixed });
  if (isKept && fixed.seed !== undefined) {
    note(`The data of ${fixed.file} goes on; the seed is for a new file, and for a reset.`);
  }
  return service;
}

function startOptions(options: EmulatorOptions): Options {
  if ((options.tlsCert === undefined) !== (options.tlsKey === undefined)) {
    throw new UsageError("--tls-cert and --tls-key go together");
  }
  if (options.memory && options.file !== undefined) throw new UsageError("--memory and --file exclude each other");
  const { tlsCert: certFile, tlsKey: keyFile } = options;
  return {
    port: options.port,
    host: options.host,
    file: options.memory ? undefined : (options.file ?? join(".esign", "service.json")),
    seed: options.seed === undefined ? undefined : (readConfig(options.seed) as NonNullable<Options["seed"]>),
    tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : options.tls,
    log: options.log ? (entry) => printEntry(entry, options.json ?? false) : undefined,
  };
}

/** The settings of the file, with the options on top: an option changes its own member of a group. */
function settingsOf(options: EmulatorOptions): SettingsInput {
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
    textStyle: options.textStyle,
    unlistedValues: options.unlistedValues,
    listLag: group({ ms: options.lagMs, lists: options.lagLists }),
    clockSkew: options.clockSkew,
    processingTime: options.processingTime,
    notifications: options.notifications ? undefined : { enabled: false },
  };
  const fromFile = options.settings === undefined ? {} : (readConfig(options.settings) ?? {});
  if (!isGroup(fromFile)) throw new UsageError(`${options.settings}: it must hold settings by their names`);
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

/** The members that are given; nothing when none is. */
function group(members: Record<string, unknown>): Record<string, unknown> | undefined {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** JSON is YAML, so one reader serves. */
function readConfig(file: string): unknown {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
}

function announce(service: Emulator, options: EmulatorOptions): void {
  const { url, keys, file, certificate } = service;
  const showKeys = options.showKeys || (process.stdout.isTTY === true && !options.json);
  if (options.json) {
    const about = { url, pid: process.pid, file: file ?? null, ...(certificate === undefined ? {} : { certificate }) };
    print(JSON.stringify({ event: "listening", ...about, ...(showKeys ? { keys } : {}) }));
    return;
  }
  print(`${colours.bold("The local service")} listens at ${colours.cyan(url)} (status page there; Ctrl-C stops it).`);
  print(file === undefined ? "Its data is in memory." : `Its data is in ${file}.`);
  if (showKeys) {
    print(`\n  export ESIGN_BASE_URL=${url}`);
    print(`  export ESIGN_API_KEY=${keys.partner}   ${colours.dim("# partner-enabled")}`);
    print(colours.dim(`  # ordinary account: ${keys.account}`));
    print(colours.dim(`  # test key, changes nothing: ${keys.test}`));
  } else {
    print(
      `Keys: --show-keys prints them${file === undefined ? "" : ", and they are in the file"}; or GET ${url}/_control/keys.`,
    );
  }
  if (certificate !== undefined && options.tls) print(`\nClients must trust this certificate:\n${certificate.trim()}`);
}

function printEntry(entry: LogEntry, json: boolean): void {
  if (json) {
    print(JSON.stringify({ event: "request", ...entry }));
    return;
  }
  const { method, path, status, code, fault, elapsed, key } = entry;
  const shown = status === 0 ? "cut" : String(status);
  const paint = status === 0 || status >= 500 ? colours.red : status >= 400 ? colours.yellow : colours.green;
  const notes = [
    code === undefined ? "" : String(code),
    fault ?? "",
    `${elapsed} ms`,
    key === undefined ? "no key" : `key ${key}`,
  ];
  print(`${paint(shown)} ${method} ${path} ${colours.dim(notes.filter(Boolean).join(" · "))}`);
}
