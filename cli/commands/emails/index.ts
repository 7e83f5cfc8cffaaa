/** `esign emails`: renders email templates, into a file for a pull request or live while you edit. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { loadFolder } from "../../../account-folder/folder/load-folder";
import { writeDurably } from "../../../fs/atomic-write";
import { parsePort } from "../../option-values";
import { UsageError } from "../../output/errors";
import { errorColours, note } from "../../output/terminal";
import { accountFolder, folderHelp } from "../../references/account-folders";
import { baselineHelp } from "../../references/baseline";
import { withValues } from "../../references/value-options";
import { accountOf, type EmailsOptions, openBefore, pageOf } from "./page";
import { serveEmails } from "./serve";

export function addEmails(program: Command): void {
  const emails = program.command("emails").description("Render email templates as HTML pages.");
  const withOptions = (command: Command) =>
    withValues(command.argument("[folder]", folderHelp))
      .option("--company <name>", "render this subaccount, by its directory or name")
      .option("--baseline <what>", `show before and after: ${baselineHelp}`)
      .option("--sample <file>", "sample data in a YAML file, by variable (client name: …)")
      .option("--no-logo", "do not fetch the logo")
      .option(
        "--allow-unknown-values",
        "accept types and variables of email templates that this version does not know",
      );
  withOptions(emails.command("render"))
    .description("Write one page with all email templates: HTML and plain text, desktop and phone, light and dark.")
    .option("-o, --out <file>", "the page (default: emails.html)")
    .addHelpText(
      "after",
      `
The page is self-contained and runs no script of an email template. Attach
it to a pull request.

Examples:
  $ esign emails render ./account --out emails.html
  $ esign emails render ./account --values-from production --baseline account
  $ esign emails render ./account --company acme --baseline account/Acme`,
    )
    .action(async (name: string | undefined, { out = "emails.html", ...options }: EmailsOptions & { out?: string }) => {
      const folder = await accountFolder(name);
      const before = await openBefore(options);
      const { html, emails, summary, hasFindings } = await pageOf(folder, options, before, false);
      if (emails === 0) {
        throw new UsageError(
          `${options.company === undefined ? folder : `${options.company} in ${folder}`} has no email template: a directory emails/<type>/ with subject.txt, body.html or body.txt`,
        );
      }
      await writeDurably(out, html);
      note(`${hasFindings ? errorColours.yellow("!") : errorColours.green("✔")} ${out}: ${summary}`);
    });
  withOptions(emails.command("serve"))
    .description("Serve the same page to a browser, and reload it whenever a file changes.")
    .option("--port <n>", "port on this machine, 0 for any free one (default: 7420)", parsePort)
    .action(async (name: string | undefined, { port = 7420, ...options }: EmailsOptions & { port?: number }) => {
      const folder = await accountFolder(name);
      if (!existsSync(folder)) throw new UsageError(`there is no folder "${folder}"`);
      if (options.company !== undefined) accountOf(loadFolder(folder).account, options.company);
      const before = await openBefore(options);
      const server = await serveEmails({
        folder,
        port: Number(port),
        page: async () => (await pageOf(folder, options, before, true)).html,
      });
      note(`${errorColours.bold(server.url)} shows ${resolve(folder)}. Press Ctrl-C to stop.`);
      await server.closed;
    });
}
