/** `esign-conformance`: compares an account's responses with what is documented, in a report that has not a word of the account. */

import { asUsageError } from "../cli/output/describe-error";
import { ExitError, UsageError } from "../cli/output/errors";
import { Exit } from "../cli/output/exit-codes";
import { Interrupt } from "../cli/output/interrupt";
import { printJson } from "../cli/output/json-formats";
import { ProgressBar } from "../cli/output/progress-bar";
import { colours, errorColours, note, print } from "../cli/output/terminal";
import { version } from "../cli/output/version";
import { writeReport } from "../cli/output/write-report";
import { type Connection, type ConnectionOptions, openConnection } from "../cli/references/connect";
import { requireNamed } from "../cli/references/require-named";
import { plural } from "../definitions/text/display";
import type { Edition } from "../sdk/edition";
import { InvalidResponseError } from "../sdk/errors";
import { formatReport } from "./format-report";
import { type Reading, readAccount, readOperations } from "./read-account";
import { makeReport } from "./report";
import { addTrial, TrialRun } from "./run-trial";
import { NoReply, Sender } from "./sender";
import { type Trial, trials } from "./trials";

export interface ConformanceOptions extends ConnectionOptions {
  json?: boolean;
  out?: string;
  /** Fingerprint of the account that may be written to. */
  write?: string;
  webhookUrl?: string;
}

export async function compareWithDocuments(options: ConformanceOptions): Promise<void> {
  const connection = await openConnection({ ...options, writes: options.write !== undefined });
  try {
    if (options.write !== undefined) await requireNamed(connection.client, options.write);
    const { report, isClean } = await compareAccount(connection, options).catch((error) => {
      throw error instanceof NoReply ? new UsageError(error.message) : asUsageError(error);
    });
    if (options.out !== undefined) await writeReport(options.out, `${JSON.stringify(report, undefined, 2)}\n`);
    if (options.json) printJson(report);
    else print(formatReport(report));
    if (options.out !== undefined)
      note(`\n${options.out} can be sent to the maintainers: nothing in it is of the account.`);
    if (!isClean || report.differences.length > 0) throw new ExitError(Exit.failed);
  } finally {
    await connection.close();
  }
}

async function compareAccount({ client, apiKey }: Connection, options: ConformanceOptions) {
  // A wrong key or address is an error like everywhere else; a response that the client cannot read is what is looked for.
  await client.branding.get().catch((error) => {
    if (!(error instanceof InvalidResponseError)) throw error;
  });
  const { write, webhookUrl } = options;
  const senders: Sender[] = [];
  const begin = (signal?: AbortSignal) => {
    const sender = new Sender({ baseUrl: client.baseUrl, apiKey: apiKey!, onWait: note, ...(signal && { signal }) });
    senders.push(sender);
    return sender;
  };
  const progress = options.json ? undefined : new ProgressBar(readOperations, "operations");
  const sender = begin();
  const reading = await readAccount(sender, (name) => progress?.step(1, name));
  progress?.end();
  const { times } = sender;
  const make = (results: Reading) => {
    const throttled = senders.reduce((sum, each) => sum + each.throttled, 0);
    return makeReport({ version, writes: write !== undefined, ...results, throttled, times });
  };
  const report = make(reading);
  if (write === undefined) return { report, isClean: true };
  const isClean = await runTrials(begin, trials(webhookUrl), report.edition, reading);
  return { report: make(reading), isClean };
}

/** Runs the trials, and adds what they show to the reading. False if something is left. */
async function runTrials(
  begin: (signal: AbortSignal) => Sender,
  all: readonly Trial[],
  edition: Edition,
  reading: Reading,
): Promise<boolean> {
  let isClean = true;
  for (const trial of all) {
    const interrupt = new Interrupt({
      onCancel: () => note(errorColours.yellow("\nStopping: what was made is deleted first.")),
      onAbort: () => run.mayBeLeft && warnOfRest(trial, undefined),
    });
    const run = new TrialRun(begin(interrupt.signal), trial, edition);
    try {
      const result = await run.run();
      addTrial(reading, result);
      if (result.removed.length > 0) note(`Deleted ${plural(result.removed.length, trial.kind)} of an earlier run.`);
      for (const { id } of result.left) warnOfRest(trial, id);
      isClean &&= result.left.length === 0;
    } finally {
      interrupt.off();
    }
    if (interrupt.signal.aborted) throw new ExitError(isClean ? Exit.cancelled : Exit.failed);
  }
  return isClean;
}

function warnOfRest({ kind, group, fields, mark }: Trial, id: string | undefined): void {
  const what = id === undefined ? `There may be a ${kind} left` : `The ${kind} ${id} could not be deleted`;
  const how = id === undefined ? "" : `: esign ${group} delete ${id}`;
  note(
    errorColours.red(`${what}: ${mark} ${fields[mark]}.`) +
      colours.dim(`\nThe next run with --write deletes it, or delete it yourself${how}`),
  );
}
