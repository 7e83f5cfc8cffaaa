/** The command line of `esign-conformance`. */
import { hintAtHelp, programOf } from "../cli/commands/program";
import { UsageError } from "../cli/output/errors";
import { reportOutcome } from "../cli/output/report-outcome";
import { withKeyOptions } from "../cli/references/connect";
import { url } from "../sdk/api/scalars";
import { type ConformanceOptions, compareWithDocuments } from "./compare";

interface Options extends Omit<ConformanceOptions, "write"> {
  /** True without a fingerprint. */
  write?: string | true;
}

function program() {
  const command = programOf("esign-conformance")
    .description("Compare an account's responses with what is documented of the API. Only GET is sent.")
    .usage("[options]");
  withKeyOptions(command)
    .option(
      "--write [fingerprint]",
      "also make, change and delete a webhook and a contact in the account with this fingerprint",
    )
    .option(
      "--webhook-url <url>",
      "URL of that webhook, if the service has to reach it (default: one that leads nowhere)",
      parseUrl,
    )
    .option("-o, --out <file>", "also write the report to this file, as JSON")
    .option("-j, --json", "as JSON")
    .addHelpText(
      "after",
      `
Exit codes: 0 no differences, 1 differences, 2 could not compare.

Examples:
  $ esign-conformance --out report.json
  $ esign-conformance --stack sandbox --write 0123456789abcdef`,
    )
    .action(compare);
  hintAtHelp(command, "esign-conformance");
  return command;
}

async function compare({ write, ...options }: Options): Promise<void> {
  if (write === true) throw new UsageError('--write needs the fingerprint of the account: "esign doctor" shows it');
  if (options.webhookUrl !== undefined && write === undefined) throw new UsageError("--webhook-url goes with --write");
  await compareWithDocuments({ ...options, ...(write !== undefined && { write }) });
}

function parseUrl(text: string): string {
  if (url.safeParse(text).success) return text;
  throw new UsageError(`--webhook-url ${text}: It must be a URL that begins with https:// or http://.`);
}

/** Runs a command line, without the name of the command; resolves to the exit code. */
export const run = (args: string[]): Promise<number> =>
  reportOutcome(async () => {
    await program().parseAsync(args, { from: "user" });
  });
