/** Checks an account as a deployment would use it. Reads only, unless `write` rewrites the current colour. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { plural } from "../../../definitions/text/display";
import { proxyFor } from "../../../sdk/http/proxy";
import { describeConnectionError } from "../../../sdk/http/send";
import { tryConnection } from "../../../sdk/http/try-connection";
import type { Client } from "../../../sdk/index";
import { ApiError } from "../../../sdk/index";
import { Exit, ExitError } from "../../output/exit-codes";
import { colours, note, print } from "../../output/terminal";
import { type ConnectionOptions, openConnection } from "../../references/connect";
import { requireNamed } from "../../references/require-named";
import { describeError, type Finding } from "./finding";
import { calledWebhooks, webhooks } from "./webhooks";

export interface CheckOptions extends ConnectionOptions {
  json?: boolean;
  /** Rewrites the current colour: of the account with this fingerprint, if there is one. */
  write?: string | true;
  /** Sends an empty form to the URL of each webhook. */
  callWebhooks?: boolean;
}

/** The most seconds by which a clock may be off before certificates and time stamps make trouble. */
const clockTolerance = 30;
const certificateDays = 14;

export async function checkAccount(options: CheckOptions): Promise<void> {
  const latencies: number[] = [];
  const connection = await openConnection({
    ...options,
    writes: options.write !== undefined,
    onResponse: (event) => {
      if (event.status !== undefined) latencies.push(event.elapsed);
    },
  });
  const dates = watchDates();
  try {
    if (typeof options.write === "string") await requireNamed(connection.client, options.write);
    if (!options.json) note(colours.dim(`${connection.client.baseUrl} (from ${connection.source})\n`));
    const findings: Finding[] = [];
    const add = (...found: Finding[]) => {
      findings.push(...found);
      if (!options.json) for (const finding of found) print(formatFinding(finding));
    };
    add(...(await checkTls(connection.client.baseUrl)));
    const key = await keyFinding(connection.client, options.stack, connection.expected !== undefined);
    add(key);
    if (key.state === "ok") {
      if (connection.expected !== undefined) add(await account(connection.client, connection.expected));
      add(await partner(connection.client), await pageSize(connection.client));
      add(await webhooks(connection.client));
      if (options.callWebhooks) add(...(await calledWebhooks(connection.client)));
      add(await testKey(connection.client, options.write !== undefined));
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
  return ` ${signs[state]} ${check.padEnd(9)} ${finding}${advice === undefined ? "" : colours.dim(`\n${" ".repeat(13)}${advice.replaceAll("\n", `\n${" ".repeat(13)}`)}`)}`;
}

/** What a failure of a connection has to do with, where it is not the way to the address. */
const ofTls = /certificate|CERT|SSL|TLS|EPROTO/;

/** Whether the address answers, on the way that requests take, and how well the line is kept from others' eyes. */
async function checkTls(baseUrl: string): Promise<Finding[]> {
  const { origin, protocol } = new URL(baseUrl);
  const encrypted = protocol === "https:";
  const tls = { check: "TLS", state: "skip", finding: "skipped" } as const;
  let way = encrypted ? "" : " (this machine)";
  try {
    const proxy = proxyFor(origin);
    if (proxy !== undefined) way = ` through the proxy ${proxy.host}`;
    const address = { check: "address", state: "ok", finding: `${origin}${way}` } as const;
    const { certificate, version } = await tryConnection(origin);
    if (certificate === undefined) return [address, { ...tls, finding: "not used on localhost" }];
    const days = Math.floor((Date.parse(certificate.valid_to) - Date.now()) / 86_400_000);
    const finding = `${version}, certificate valid for ${days} days`;
    return [address, { check: "TLS", state: days < certificateDays ? "warn" : "ok", finding }];
  } catch (error) {
    const finding = describeConnectionError(error);
    if (encrypted && ofTls.test(finding)) {
      const advice = "Check the base URL and proxies. Set NODE_EXTRA_CA_CERTS for a private certificate authority.";
      return [
        { check: "address", state: "ok", finding: `${origin}${way}` },
        { ...tls, state: "fail", finding, advice },
      ];
    }
    const advice = encrypted
      ? "Check the base URL. Behind a proxy, set HTTPS_PROXY."
      : 'Is it running? "esign emulator" starts the local emulator.';
    return [{ check: "address", state: "fail", finding: `${origin}${way}: ${finding}`, advice }, tls];
  }
}

async function keyFinding(client: Client, stack: string | undefined, isExpected: boolean): Promise<Finding> {
  const check = "key";
  try {
    await client.branding.get();
    const fingerprint = await client.keyFingerprint();
    const command = `esign config set${stack === undefined ? "" : ` --stack ${stack}`} esign:expectAccount ${fingerprint}`;
    return {
      check,
      state: "ok",
      finding: `accepted, fingerprint ${fingerprint}`,
      // Of no use where it is set already.
      ...(!isExpected && { advice: `To let a stack deploy to this account only:\n${command}` }),
    };
  } catch (error) {
    return { check, state: "fail", ...describeError(error) };
  }
}

async function account(client: Client, expected: readonly string[]): Promise<Finding> {
  const check = "account";
  if (expected.includes(await client.keyFingerprint()))
    return { check, state: "ok", finding: "allowed by esign:expectAccount" };
  const finding = `not allowed by esign:expectAccount: ${expected.join(", ")}`;
  return { check, state: "fail", finding, advice: "Use the right key: writes with this one are rejected." };
}

async function partner(client: Client): Promise<Finding> {
  const check = "partner";
  try {
    const page = await client.companies.list({ limit: 1 }).page();
    return {
      check,
      state: "ok",
      finding: `yes, ${plural(page.total_companies ?? page.companies.length, "subaccount")}`,
    };
  } catch (error) {
    if (error instanceof ApiError && error.isNotPartner)
      return { check, state: "ok", finding: "no (companies and usage not available)" };
    return { check, state: "warn", ...describeError(error) };
  }
}

/** The page size that the service grants. */
async function pageSize(client: Client): Promise<Finding> {
  const check = "pages";
  try {
    const { limit } = await client.webhooks.list().page();
    return { check, state: "ok", finding: `page size: ${limit ?? "?"}` };
  } catch (error) {
    return { check, state: "warn", ...describeError(error) };
  }
}

async function testKey(client: Client, write: boolean): Promise<Finding> {
  const check = "test key";
  const isOne = {
    check,
    state: "fail",
    finding: "yes: its writes change nothing",
    advice: "Use a live key to deploy.",
  } as const;
  try {
    const { branding_colour: colour, test } = await client.branding.get();
    if (test === true) return isOne;
    if (!write) return { check, state: "skip", finding: "skipped (needs --write)" };
    if (!colour) return { check, state: "skip", finding: "skipped (no colour to rewrite)" };
    const reply = await client.branding.update({ branding_colour: colour });
    if (reply.test === true) return isOne;
    return { check, state: "ok", finding: "no: its writes count" };
  } catch (error) {
    return { check, state: "warn", ...describeError(error) };
  }
}

/** Differences between the service's clock and this machine's, from the Date headers of all responses. */
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
  if (differences.length === 0) return { check, state: "skip", finding: "skipped (no Date header)" };
  const seconds = Math.round(median(differences));
  const off = Math.abs(seconds) > clockTolerance;
  return {
    check,
    state: off ? "warn" : "ok",
    finding:
      Math.abs(seconds) <= 1
        ? "in sync"
        : `the service's is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} this machine's`,
    ...(off && { advice: "Set this machine's clock: certificates and time stamps depend on it." }),
  };
}

function latency(all: number[]): Finding {
  const check = "latency";
  // The first response includes the connection.
  const settled = all.length > 1 ? all.slice(1) : all;
  if (settled.length === 0) return { check, state: "skip", finding: "skipped (no response)" };
  return { check, state: "ok", finding: `${Math.round(median(settled))} ms per request (median of ${settled.length})` };
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
