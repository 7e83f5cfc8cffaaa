/** `esign emulator trigger`: test events for a receiver, without an envelope and without a status page. */
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { Argument, type Command, Option } from "commander";
import type { Delivery } from "../../../emulator/index.js";
import { secretMistake, withoutSpace } from "../../../receiver/secrets";
import { noticeableWait } from "../../../sdk/request/announce-waits";
import { didYouMean } from "../../../sdk/text/did-you-mean";
import { isLoopback, parseUrl } from "../../../sdk/text/url";
import { ExitError, UsageError } from "../../output/errors";
import { Exit } from "../../output/exit-codes";
import { colours, note, print } from "../../output/terminal";
import { findRunningEmulator } from "../../project/local-emulator";
import { readNamedFile } from "../../references/named-file";
import { likelyCause } from "../doctor/answer-causes";

interface TriggerOptions {
  to?: string;
  edition?: "specification" | "current";
  secretFile?: string;
  json?: boolean;
}

const help = `
Types are those of webhooks, such as signed-envelope-complete; "all" sends one
event of each. Without --to, the events go to the webhooks that are registered
with the running emulator of this folder, signed as that one signs.

Exit code 1: an endpoint did not answer 200; the likely cause is printed.

Examples:
  $ esign emulator trigger rejected-envelope
  $ esign emulator trigger all --to http://127.0.0.1:3000/esign
  $ esign emulator trigger all --to http://127.0.0.1:3000/esign \\
      --secret-file secret.txt`;

export function addTrigger(emulator: Command): void {
  emulator
    .command("trigger")
    .description("Send a test event to a receiver on this machine.")
    .addArgument(new Argument("<type>", "the event's type, or all"))
    .option("--to <url>", "URL of the receiver (default: the running emulator's webhooks)")
    .option("--secret-file <file>", "sign with the secret in this file; - reads stdin")
    .addOption(
      new Option(
        "--edition <edition>",
        "events of the specification (default), or of today (current, default if signed)",
      ).choices(["specification", "current"]),
    )
    .option("-j, --json", "the deliveries as JSON, with their bodies")
    .addHelpText("after", help)
    .action(trigger);
}

async function trigger(type: string, options: TriggerOptions): Promise<void> {
  if (options.to === undefined && (options.secretFile !== undefined || options.edition !== undefined))
    throw new UsageError(
      "--secret-file and --edition need --to: a running emulator signs and writes as it was started",
    );
  const deliveries = await (options.to === undefined ? triggerRunning(type) : triggerOwn(type, options.to, options));
  const withCause = deliveries.map((delivery) => {
    const cause = likelyCause(delivery.attempts.at(-1));
    return { ...delivery, ...(cause !== undefined && { likelyCause: cause }) };
  });
  if (options.json) print(JSON.stringify(withCause, undefined, 2));
  else {
    for (const delivery of deliveries) print(describe(delivery));
    for (const line of causesOf(withCause)) print(line);
  }
  if (deliveries.some(({ state }) => state !== "delivered")) throw new ExitError(Exit.failed);
}

const waitText = `no end of a delivery for ${noticeableWait / 1000} s; waiting as long as the emulator does (\`notifications.timeout\`)`;

/** Sends events, with a note where that takes long. */
async function delivered(send: () => Promise<Delivery[]>): Promise<Delivery[]> {
  const timer = setTimeout(() => note(waitText), noticeableWait);
  try {
    return await send();
  } finally {
    clearTimeout(timer);
  }
}

function describe({ type, url, state, attempts, signed }: Delivery): string {
  const outcome =
    attempts.at(-1) ??
    (state === "skipped-external"
      ? "not called: not on this machine, and its host is in no --notify-host of the emulator"
      : state);
  const paint = state === "delivered" ? colours.green : colours.red;
  return `${type} → ${url}  ${paint(String(outcome))}${signed ? colours.dim("  signed") : ""}`;
}

/** The likely cause of each answer that is not 200, once. */
function causesOf(deliveries: readonly (Delivery & { likelyCause?: string })[]): string[] {
  const causes = new Map(deliveries.map(({ attempts, likelyCause: cause }) => [attempts.at(-1), cause]));
  return [...causes].flatMap(([status, cause]) =>
    cause === undefined ? [] : [`  likely cause of ${status}: ${cause}`],
  );
}

/** By an emulator of its own, whose only webhook is the receiver. */
async function triggerOwn(type: string, to: string, options: TriggerOptions): Promise<Delivery[]> {
  const url = parseUrl(to);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--to must be a URL such as http://127.0.0.1:3000/esign; it is "${to}"`);
  if (!isLoopback(url.hostname))
    throw new UsageError(
      `--to must be on this machine, such as http://127.0.0.1:3000/esign: test events go nowhere else`,
    );
  const edition = options.edition ?? (options.secretFile === undefined ? "specification" : "current");
  const { start } = await import("../../../emulator/index.js");
  const { actionsOf, newest } = await import("../../../emulator/domain/enums-by-edition.js");
  const actions = actionsFor(
    type,
    actionsOf({ edition, unlistedValues: false }),
    actionsOf(newest),
    "add --edition current",
  );
  // It may come from a pipe, so after everything that the command line alone shows.
  const secret = options.secretFile === undefined ? undefined : await readSecret(options.secretFile);
  const service = await start({
    edition,
    notifications: { retries: 0, signed: secret !== undefined },
    seed: { account: { webhooks: [{ type: "all", url: to, ...(secret !== undefined && { secret }) }] } },
  });
  try {
    const account = service.data().accounts.find(({ webhooks }) => webhooks.length > 0)!.id;
    return await delivered(async () => {
      for (const action of actions) await service.notify(account, action);
      return settled(async () => service.deliveries(), new Set());
    });
  } finally {
    await service.close();
  }
}

/** As a receiver takes it: white space around it does not count, and what is no secret is refused. */
async function readSecret(file: string): Promise<string> {
  const content = file === "-" ? await text(process.stdin) : readNamedFile(file).toString();
  const secret = withoutSpace(content);
  if (secret === "") throw new UsageError("--secret-file is empty");
  const mistake = secretMistake(secret);
  if (mistake !== undefined) throw new UsageError(`--secret-file: the secret ${mistake}`);
  return secret;
}

/** `cure`: how to send an event that only today's service has. */
function actionsFor<Action extends string>(
  type: string,
  actions: readonly Action[],
  newestActions: readonly Action[],
  cure: string,
): Action[] {
  if (type === "all") return [...actions];
  const found = actions.find((action) => action === type);
  if (found !== undefined) return [found];
  if (newestActions.includes(type as Action))
    throw new UsageError(`${type} is an event of today's service, which the specification does not have: ${cure}`);
  const hint = didYouMean(type, newestActions) || ".";
  throw new UsageError(`there is no event "${type}"${hint}\nTypes: all, ${actions.join(", ")}`);
}

/** By the emulator that runs in this folder, to the webhooks that are registered there. */
async function triggerRunning(type: string): Promise<Delivery[]> {
  const running = await findRunningEmulator(process.cwd());
  if (running === undefined)
    throw new UsageError(
      "no emulator is running in this folder, or only one with --memory, --file or --tls, which is not found: start it (esign emulator), or name a receiver with --to <URL>",
    );
  const control = async <T>(path: string, body?: object): Promise<T> => {
    const { ESIGN_EMULATOR_CONTROL_TOKEN: token } = process.env;
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const init = body && { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${running.url}/_control${path}`, { ...init, headers });
    const answer = (await response.json()) as T & { message?: string };
    if (response.status === 401)
      throw new UsageError("the running emulator has a control token: set ESIGN_EMULATOR_CONTROL_TOKEN to it");
    if (!response.ok) throw new UsageError(answer.message ?? `the emulator answered ${response.status}`);
    return answer;
  };
  const list = async () => (await control<{ deliveries: Delivery[] }>("/deliveries")).deliveries;
  const { settings, accounts } = await control<{
    settings: Parameters<typeof import("../../../emulator/domain/enums-by-edition.js").actionsOf>[0];
    accounts: { id: string; webhooks: number }[];
  }>("/state");
  const { actionsOf, newest } = await import("../../../emulator/domain/enums-by-edition.js");
  const cure = "start the emulator with --edition current";
  const actions = actionsFor(type, actionsOf(settings), actionsOf(newest), cure);
  const earlier = new Set((await list()).map(({ id }) => id));
  const deliveries = await delivered(async () => {
    for (const { id } of accounts.filter(({ webhooks }) => webhooks > 0))
      for (const action of actions) await control(`/accounts/${id}/notify`, { action });
    return settled(list, earlier);
  });
  if (deliveries.length === 0)
    throw new UsageError(
      `no webhook of the running emulator is for ${type}: deploy one (esign up --local), or name a receiver with --to <URL>`,
    );
  return deliveries;
}

/** The deliveries that are new, once each has been tried. */
async function settled(list: () => Promise<Delivery[]>, earlier: ReadonlySet<string>): Promise<Delivery[]> {
  for (;;) {
    const all = (await list()).filter(({ id }) => !earlier.has(id));
    if (all.every(({ state, attempts }) => state !== "waiting" || attempts.length > 0)) return all;
    await wait(20);
  }
}
