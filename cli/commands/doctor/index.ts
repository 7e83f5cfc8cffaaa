/** `esign doctor`: looks at an account as a deployment would use it, or compares it with what is documented of the API. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { url } from "../../../sdk/api/scalars";
import { UsageError } from "../../output/exit-codes";
import { type ConnectionOptions, withAccountOptions } from "../../targets/connect";

interface DoctorOptions extends ConnectionOptions {
  json?: boolean;
  /** True without a fingerprint. */
  write?: string | true;
  conformance?: boolean;
  webhookUrl?: string;
  callWebhooks?: boolean;
  out?: string;
}

export function addDoctor(program: Command): void {
  withAccountOptions(
    program
      .command("doctor")
      .description("Check the connection, TLS, key, clock, page size, webhooks and speed of an account."),
  )
    .option("--conformance", "compare the account's responses with what is documented of the API; reads only")
    .option(
      "--write [fingerprint]",
      "also rewrite the current colour, to detect a test key; with --conformance: make, change and delete a webhook and a contact in the account with this fingerprint",
    )
    .addOption(
      new Option(
        "--webhook-url <url>",
        "URL of that webhook, if the service has to reach it (default: one that leads nowhere)",
      ).argParser(parseUrl),
    )
    .option("--call-webhooks", "also send an empty form to the URL of each webhook, and say what its answer means")
    .option("-o, --out <file>", "with --conformance: also write the report to this file, as JSON")
    .option("-j, --json", "as JSON")
    .addHelpText(
      "after",
      `
Exit codes: 0 all checks passed, no differences; 1 a check failed,
differences; 2 could not compare.

Examples:
  $ esign doctor
  $ esign doctor --stack production
  $ esign doctor --call-webhooks
  $ esign doctor --conformance --out report.json
  $ esign doctor --conformance --stack sandbox --write 0123456789abcdef`,
    )
    .action(doctor);
}

async function doctor({ conformance, write, webhookUrl, callWebhooks, out, ...options }: DoctorOptions): Promise<void> {
  if (!conformance) {
    if (webhookUrl !== undefined || out !== undefined) {
      throw new UsageError(`${out === undefined ? "--webhook-url" : "--out"} goes with --conformance`);
    }
    const { checkAccount } = await import("./checks.js");
    return checkAccount({ ...options, ...(write !== undefined && { write }), ...(callWebhooks && { callWebhooks }) });
  }
  if (callWebhooks) throw new UsageError("--call-webhooks goes without --conformance");
  if (write === true) {
    throw new UsageError('--write needs the fingerprint of the account, with --conformance: "esign whoami" shows it');
  }
  if (webhookUrl !== undefined && write === undefined) throw new UsageError("--webhook-url goes with --write");
  const { compareWithDocuments } = await import("./conformance/index.js");
  await compareWithDocuments({
    ...options,
    ...(write !== undefined && { write }),
    ...(webhookUrl !== undefined && { webhookUrl }),
    ...(out !== undefined && { out }),
  });
}

function parseUrl(text: string): string {
  if (url.safeParse(text).success) return text;
  throw new InvalidArgumentError("It must be a URL that begins with https:// or http://.");
}
