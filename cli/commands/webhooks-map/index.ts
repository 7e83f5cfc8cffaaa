/** `esign webhooks map`: which endpoint receives which event. */

import type { Command } from "commander";
import { redactUrl } from "../../../account-folder/text/display";
import { fetchThrough } from "../../../sdk/http/proxy-fetch";
import { withoutSecretTexts } from "../../output/print";
import { availableWidth, table } from "../../output/table";
import { colours, print } from "../../output/terminal";
import { openAccount, openTarget } from "../../targets/open-target";
import { parseTarget, type Target } from "../../targets/target";
import { referencesHint } from "../help/topics";
import { type Endpoint, mapWebhooks, type WebhookMap } from "./webhook-map";

interface MapOptions {
  probe?: boolean;
  json?: boolean;
}

/** The response of an endpoint to a probe. */
interface Probe {
  url: string;
  reachable: boolean;
  /** The status, or why there was none. */
  answer: string;
}

/** Adds `map` to the command `webhooks`. */
export function addWebhooksMap(program: Command): void {
  const parent = program.commands.find((command) => command.name() === "webhooks") ?? program.command("webhooks");
  parent
    .command("map")
    .description("Show which endpoint receives which event: gaps, duplicates, dead endpoints.")
    .argument("[source]", "account, folder or stack (default: account)")
    .option("--probe", "also check each endpoint by HEAD; no event is sent")
    .option("-j, --json", "as JSON")
    .addHelpText(
      "after",
      `${referencesHint}

Examples:
  $ esign webhooks map
  $ esign webhooks map account:production --probe
  $ esign webhooks map ./account@production`,
    )
    .action(async (source = "account", options: MapOptions) => {
      const { webhooks, hide } = await webhooksOf(parseTarget(source));
      const map = mapWebhooks(webhooks);
      const probes = options.probe ? await probeAll(map.endpoints.map((endpoint) => endpoint.url)) : undefined;
      if (options.json) print(JSON.stringify(hide({ ...map, ...(probes && { probes }) }), null, 2));
      else show(hide(map), probes && hide(probes));
    });
}

async function webhooksOf(named: Target) {
  if (named.kind === "account") {
    // The map needs one listing, not the whole account with its subaccounts.
    const connection = await openAccount(named);
    try {
      const listed = await connection.client.webhooks.list().all();
      const webhooks = listed.map(({ webhook_type: type, webhook_url: url }) => ({ type, url }));
      return { webhooks, hide: withoutSecretTexts([]) };
    } finally {
      await connection.close();
    }
  }
  const { side, secrets } = await openTarget(named);
  return { webhooks: side.model.webhooks, hide: withoutSecretTexts(secrets) };
}

function show(map: WebhookMap, probes: readonly Probe[] | undefined): void {
  const { events, endpoints, uncovered, duplicates } = map;
  const cell = (types: string[]) => {
    if (types.length === 0) return "";
    const mark = types.every((type) => type === "all") ? "all" : "yes";
    return types.length > 1 ? colours.yellow(`${types.length}×`) : colours.green(mark);
  };
  const stateOf = (url: string): string => {
    const probe = probes?.find((each) => each.url === url);
    if (probe === undefined) return "";
    return `  ${probe.reachable ? colours.green(probe.answer) : colours.red(`cannot be reached: ${probe.answer}`)}`;
  };
  const numbers = endpoints.map((_, i) => `(${i + 1})`);
  const first = Math.max(...events.map((event) => event.length));
  const fits = numbers.reduce((sum, number) => sum + 2 + Math.max(3, number.length), first) <= availableWidth();
  if (endpoints.length === 0) print("No webhooks.");
  else if (fits) {
    const rows = events.map((event) => [event, ...endpoints.map(({ receives }) => cell(receives[event]!))]);
    print(table(["event", ...numbers], rows));
    print();
    endpoints.forEach(({ url }, i) => {
      print(`${numbers[i]} ${redactUrl(url)}${stateOf(url)}`);
    });
  } else {
    for (const { url, receives } of endpoints) {
      print(`${colours.bold(redactUrl(url))}${stateOf(url)}`);
      print(`    ${eventsOf(receives, cell)}`);
    }
  }
  if (uncovered.length > 0) print(`\n${colours.yellow("No subscriber:")} ${uncovered.join(", ")}`);
  for (const { event, url, reason } of duplicates) {
    print(`${colours.yellow("Delivered twice:")} ${event} to ${redactUrl(url)}: ${reason}`);
  }
}

/** The events that an endpoint receives, in a line. */
function eventsOf(receives: Endpoint["receives"], cell: (types: string[]) => string): string {
  const registered = Object.entries(receives).filter(([, types]) => types.length > 0);
  if (registered.every(([, types]) => types.length === 1 && types[0] === "all")) return "all events";
  return registered.map(([event, types]) => (types.length > 1 ? `${event} ${cell(types)}` : event)).join(", ");
}

const PROBES_AT_ONCE = 8;
const PROBE_TIMEOUT = 5000;

async function probeAll(urls: readonly string[]): Promise<Probe[]> {
  const probes: Probe[] = [];
  const rest = [...urls.entries()];
  const work = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) probes[next[0]] = await probe(next[1]);
  };
  await Promise.all(Array.from({ length: PROBES_AT_ONCE }, work));
  return probes;
}

/** User name and password of a URL go into a header: `fetch` rejects them in the URL. */
function signedIn(url: string): { address: string; headers: Record<string, string> } {
  const address = new URL(url);
  const { username, password } = address;
  if (username === "" && password === "") return { address: url, headers: {} };
  address.username = "";
  address.password = "";
  const login = Buffer.from([username, password].map(decoded).join(":")).toString("base64");
  return { address: address.href, headers: { authorization: `Basic ${login}` } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign of its own.
    return text;
  }
}

/** Any response counts, such as 405 of an endpoint that takes only POST, but not an error of its gateway. */
async function probe(url: string): Promise<Probe> {
  try {
    const { address, headers } = signedIn(url);
    const { status } = await fetchThrough(address, {
      method: "HEAD",
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(PROBE_TIMEOUT),
    });
    return { url, reachable: status < 500 || status === 501, answer: `responds ${status}` };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string; message?: string } };
    const why =
      name === "TimeoutError" ? `no response within ${PROBE_TIMEOUT / 1000} seconds` : (cause?.code ?? cause?.message);
    return { url, reachable: false, answer: redactUrl(why ?? (error as Error).message) };
  }
}
