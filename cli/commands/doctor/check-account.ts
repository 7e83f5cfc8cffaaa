/** Checks an account as a deployment would use it. Reads only, unless `write` rewrites the current colour. */
import { ExitError } from "../../output/errors";
import { Exit } from "../../output/exit-codes";
import { colours, note, print } from "../../output/terminal";
import { type ConnectionOptions, openConnection } from "../../references/connect";
import { requireNamed } from "../../references/require-named";
import { checkAddress } from "./address-and-certificate";
import type { CheckResult } from "./check-result";
import { clock, latency, watchDates } from "./clock-and-latency";
import { checkKey, expectedAccount, pageSize, partner, testKey } from "./key";
import { calledWebhooks, webhooks } from "./webhooks";

interface CheckOptions extends ConnectionOptions {
  json?: boolean;
  /** Rewrites the current colour: of the account with this fingerprint, if there is one. */
  write?: string | true;
  /** Sends an empty form to the URL of each webhook. */
  callWebhooks?: boolean;
}

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
    const findings: CheckResult[] = [];
    const add = (...found: CheckResult[]) => {
      findings.push(...found);
      if (!options.json) for (const finding of found) print(formatFinding(finding));
    };
    add(...(await checkAddress(connection.client.baseUrl)));
    const key = await checkKey(connection.client, options.stack, connection.expected !== undefined);
    add(key);
    if (key.state === "ok") {
      if (connection.expected !== undefined) add(await expectedAccount(connection.client, connection.expected));
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

function formatFinding({ check, state, finding, advice }: CheckResult): string {
  const signs = { ok: colours.green("✓"), warn: colours.yellow("!"), fail: colours.red("✗"), skip: colours.dim("-") };
  return ` ${signs[state]} ${check.padEnd(9)} ${finding}${advice === undefined ? "" : colours.dim(`\n${" ".repeat(13)}${advice.replaceAll("\n", `\n${" ".repeat(13)}`)}`)}`;
}
