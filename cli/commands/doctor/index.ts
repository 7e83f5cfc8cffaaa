/** `esign doctor`: looks at an account as a deployment would use it. */
import type { Command } from "commander";
import { type ConnectionOptions, withAccountOptions } from "../../references/connect";

interface DoctorOptions extends ConnectionOptions {
  json?: boolean;
  /** True without a fingerprint. */
  write?: string | true;
  callWebhooks?: boolean;
  accountOnly?: boolean;
}

export function addDoctor(program: Command): void {
  withAccountOptions(
    program
      .command("doctor")
      .description("Check the connection, TLS, key, clock, page size, webhooks and speed of an account."),
  )
    .option("--account-only", "name the account that other commands would use with the same options, and check nothing")
    .option("--write [fingerprint]", "also rewrite the current colour, to detect a test key")
    .option("--call-webhooks", "also send an empty form to the URL of each webhook, and say what its answer means")
    .option("-j, --json", "as JSON")
    .addHelpText(
      "after",
      `
Exit codes: 0 all checks passed, 1 a check failed, 2 could not check.

Examples:
  $ esign doctor
  $ esign doctor --stack production
  $ esign doctor --account-only --json
  $ esign doctor --call-webhooks`,
    )
    .action(doctor);
}

async function doctor({ write, callWebhooks, accountOnly, ...options }: DoctorOptions): Promise<void> {
  if (accountOnly) return (await import("./show-account.js")).showAccount(options);
  const { checkAccount } = await import("./check-account.js");
  await checkAccount({ ...options, ...(write !== undefined && { write }), ...(callWebhooks && { callWebhooks }) });
}
