/** `esign doctor`: looks at an account as a deployment would meet it. Reads only, unless asked to write what is there already. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { TLSSocket } from "node:tls";
import type { Command } from "commander";
import { reach } from "../../sdk/http/connections";
import { proxyFor } from "../../sdk/http/proxy";
import { wordsOf } from "../../sdk/http/send";
import type { Client } from "../../sdk/index";
import { ApiError, EsignError } from "../../sdk/index";
import { Exit, ExitError } from "../output/exit-codes";
import { colours, note, print } from "../output/terminal";
import { type ConnectionOptions, openConnection, withAccountOptions } from "../targets/connect";

interface Finding {
  check: string;
  /** `skip`: could not be looked at. */
  state: "ok" | "warn" | "fail" | "skip";
  finding: string;
  /** What to do about it. */
  advice?: string;
}

interface DoctorOptions extends ConnectionOptions {
  json?: boolean;
  write?: boolean;
}

/** The most seconds by which a clock may be off before certificates and time stamps make trouble. */
const clockTolerance = 30;
const certificateDays = 14;

export function addDoctor(program: Command): void {
  withAccountOptions(
    program.command("doctor").description("Check address, TLS, key, rights, clock, page size and speed of an account."),
  )
    .option("--write", "also write the colour that is there already, to see whether this is a test key")
    .option("-j, --json", "as JSON")
    .addHelpText(
      "after",
      "\nChanges nothing. Exit code 1 when something is wrong.\n\nExamples:\n  $ esign doctor\n  $ esign doctor --stack production",
    )
    .action(doctor);
}

async function doctor(options: DoctorOptions): Promise<void> {
  const latencies: number[] = [];
  const connection = await openConnection({
    ...options,
    writes: options.write ?? false,
    onResponse: (event) => {
      if (event.status !== undefined) latencies.push(event.elapsed);
    },
  });
  const dates = watchDates();
  try {
    if (!options.json) note(colours.dim(`${connection.client.baseUrl} (${connection.source})\n`));
    const findings: Finding[] = [];
    const add = (...found: Finding[]) => {
      findings.push(...found);
      if (!options.json) for (const finding of found) print(formatFinding(finding));
    };
    add(...(await checkTls(connection.client.baseUrl)));
    const key = await keyFinding(connection.client, options.stack);
    add(key);
    if (key.state === "ok") {
      if (connection.expected !== undefined) add(await account(connection.client, connection.expected));
      add(await partner(connection.client), await pageSize(connection.client));
      add(await testKey(connection.client, options.write ?? false));
    }
    add(clock(dates.values()), latency(latencies));
    if (options.json) print(JSON.stringify(findings, undefined, 2));
    if (findings.some(({ state }) => state === "fail")) throw new ExitError(Exit.failed);
  } finally {
    dates.stop();
    await connection.close();
  }
}

function formatFinding({ check, state, finding, advice }: Finding): string {
  const signs = { ok: colours.green("✓"), warn: colours.yellow("!"), fail: colours.red("✗"), skip: colours.dim("-") };
  return ` ${signs[state]} ${check.padEnd(9)} ${finding}${advice === undefined ? "" : colours.dim(`\n             ${advice}`)}`;
}

/** What a failure of a connection has to do with, where it is not the way to the address. */
const ofTls = /certificate|CERT|SSL|TLS|EPROTO/;

/** Whether the address answers, on the way that requests take, and how well the line is kept from others' eyes. */
async function checkTls(baseUrl: string): Promise<Finding[]> {
  const { origin, protocol } = new URL(baseUrl);
  const encrypted = protocol === "https:";
  const tls = { check: "TLS", state: "skip", finding: "not looked at" } as const;
  let way = encrypted ? "" : " (this machine)";
  try {
    const proxy = proxyFor(origin);
    if (proxy !== undefined) way = ` through the proxy ${proxy.host}`;
    const address = { check: "address", state: "ok", finding: `${origin}${way}` } as const;
    const socket = await reach(origin);
    socket.once("error", () => undefined);
    const [certificate, version] = encrypted
      ? [(socket as TLSSocket).getPeerCertificate(), (socket as TLSSocket).getProtocol()]
      : [];
    socket.destroy();
    if (certificate === undefined) return [address, { ...tls, finding: "none, which loopback does not need" }];
    const days = Math.floor((Date.parse(certificate.valid_to) - Date.now()) / 86_400_000);
    const finding = `${version}, certificate valid for ${days} days`;
    return [address, { check: "TLS", state: days < certificateDays ? "warn" : "ok", finding }];
  } catch (error) {
    const finding = wordsOf(error);
    if (encrypted && ofTls.test(finding)) {
      const advice =
        "Is the address right, and is there a proxy in between? A company's own certificate goes into NODE_EXTRA_CA_CERTS.";
      return [
        { check: "address", state: "ok", finding: `${origin}${way}` },
        { ...tls, state: "fail", finding, advice },
      ];
    }
    const advice = encrypted
      ? "Is the address right? Behind a company's proxy, set HTTPS_PROXY."
      : "Is the service running there? `esign service` starts the local one.";
    return [{ check: "address", state: "fail", finding: `${origin}${way}: ${finding}`, advice }, tls];
  }
}

async function keyFinding(client: Client, stack: string | undefined): Promise<Finding> {
  const check = "key";
  try {
    await client.branding.get();
    const fingerprint = await client.keyFingerprint();
    return {
      check,
      state: "ok",
      finding: `accepted, fingerprint ${fingerprint}`,
      advice: `\`esign config set${stack === undefined ? "" : ` --stack ${stack}`} esign:expectAccount ${fingerprint}\` lets a stack deploy to this account only.`,
    };
  } catch (error) {
    return { check, state: "fail", ...describeError(error) };
  }
}

async function account(client: Client, expected: readonly string[]): Promise<Finding> {
  const check = "account";
  if (expected.includes(await client.keyFingerprint()))
    return { check, state: "ok", finding: "the one that esign:expectAccount names" };
  const finding = `none of those that esign:expectAccount names: ${expected.join(", ")}`;
  return { check, state: "fail", finding, advice: "Nothing is written with this key: use the right one." };
}

async function partner(client: Client): Promise<Finding> {
  const check = "partner";
  try {
    const page = await client.companies.list({ limit: 1 }).page();
    return { check, state: "ok", finding: `yes, ${page.total_companies ?? page.companies.length} sub accounts` };
  } catch (error) {
    const { code, status } = error as { code?: number; status?: number };
    if (code === 10008 || status === 403)
      return { check, state: "ok", finding: "no: companies and usage are not for this key" };
    return { check, state: "warn", ...describeError(error) };
  }
}

/** What the service makes of a large `limit`: the specification gives no maximum (§8). */
async function pageSize(client: Client): Promise<Finding> {
  const check = "pages";
  try {
    const asked = [50, 100];
    const answers: string[] = [];
    for (const limit of asked) {
      try {
        const page = await client.webhooks.list({ limit }).page();
        answers.push(`${page.limit ?? "?"} for ${limit}`);
      } catch (error) {
        // The client asks for fewer then.
        if (!(error instanceof ApiError && [400, 422].includes(error.status))) throw error;
        answers.push(`a refusal for ${limit}`);
      }
    }
    return { check, state: "ok", finding: `records per page: ${answers.join(", ")} asked for` };
  } catch (error) {
    return { check, state: "warn", ...describeError(error) };
  }
}

async function testKey(client: Client, write: boolean): Promise<Finding> {
  const check = "test key";
  if (!write) return { check, state: "skip", finding: "not looked at: only a write shows it (--write)" };
  try {
    const { branding_colour: colour } = await client.branding.get();
    if (!colour) return { check, state: "skip", finding: "no colour is set that could be written again" };
    const reply = (await client.branding.update({ branding_colour: colour })) as Record<string, unknown>;
    if (reply.test === true) {
      return { check, state: "fail", finding: "yes: its writes change nothing", advice: "Use a live key to deploy." };
    }
    return { check, state: "ok", finding: "no: its writes count" };
  } catch (error) {
    return { check, state: "warn", ...describeError(error) };
  }
}

/** Differences between the service's clock and ours, from the Date headers of all answers. */
function watchDates() {
  const differences: number[] = [];
  const onHeaders = (message: unknown) => {
    const { headers } = (message as { response: { headers: Buffer[] } }).response;
    for (let i = 0; i + 1 < headers.length; i += 2) {
      if (String(headers[i]).toLowerCase() !== "date") continue;
      const seconds = (Date.parse(String(headers[i + 1])) - Date.now()) / 1000;
      if (!Number.isNaN(seconds)) differences.push(seconds);
    }
  };
  subscribe("undici:request:headers", onHeaders);
  return { values: () => differences, stop: () => unsubscribe("undici:request:headers", onHeaders) };
}

function clock(differences: number[]): Finding {
  const check = "clock";
  if (differences.length === 0) return { check, state: "skip", finding: "the service told no time" };
  const seconds = Math.round(median(differences));
  const off = Math.abs(seconds) > clockTolerance;
  return {
    check,
    state: off ? "warn" : "ok",
    finding:
      Math.abs(seconds) <= 1
        ? "agrees with the service's"
        : `the service's is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} this machine's`,
    ...(off && { advice: "Set this machine's clock: certificates and time stamps depend on it." }),
  };
}

function latency(all: number[]): Finding {
  const check = "latency";
  // The first answer pays for the connection.
  const settled = all.length > 1 ? all.slice(1) : all;
  if (settled.length === 0) return { check, state: "skip", finding: "no answer" };
  return { check, state: "ok", finding: `${Math.round(median(settled))} ms a call (median of ${settled.length})` };
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function describeError(error: unknown): { finding: string; advice?: string } {
  if (!(error instanceof EsignError)) throw error;
  return { finding: error.message, advice: error.explain().fix };
}
