/** `esign emails`: see the e-mails of a folder as their readers will, in a file for a pull request or live while editing. */
import { existsSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { parseDocument } from "yaml";
import type { Finding } from "../../../account-folder/finding";
import { type LoadedAccount, loadFolder } from "../../../account-folder/folder/load";
import { findYamlErrors } from "../../../account-folder/folder/yaml-errors";
import { lintFolder } from "../../../account-folder/lint/lint";
import { countFindings, formatCounts } from "../../../account-folder/lint/reporters";
import { type AccountModel, asPartner, type CompanyModel } from "../../../account-folder/model";
import { fetchLogo } from "../../../account-folder/preview/logo";
import { renderPage, type Shown } from "../../../account-folder/preview/page";
import type { Sample } from "../../../account-folder/preview/sample-data";
import { writeDurably } from "../../../fs/atomic-write";
import { UsageError } from "../../output/exit-codes";
import { colours, note } from "../../output/terminal";
import { baselineHelp, openBaseline } from "../../targets/baseline";
import { type ValuesOptions, valuesOf, withValues } from "../../targets/values";
import { serveEmails } from "./serve";

interface EmailsOptions extends ValuesOptions {
  company?: string;
  against?: string;
  sample?: string;
  logo: boolean;
  allowUnknownValues?: boolean;
}

export function addEmails(program: Command): void {
  const emails = program.command("emails").description("See the e-mails of a folder as their readers will.");
  const withOptions = (command: Command) =>
    withValues(command.argument("[folder]", "the account's folder", "account"))
      .option("--company <name>", "the e-mails of this sub account instead, by its directory or its name")
      .option("--against <what>", `show before and after: ${baselineHelp}`)
      .option("--sample <file>", "sample data in a YAML file, by the names of variables (client name: …)")
      .option("--no-logo", "do not fetch the logo")
      .option("--allow-unknown-values", "let e-mail types and variables through that this version does not know");
  withOptions(emails.command("render"))
    .description(
      "Writes one page with all e-mails of an account: HTML and plain text, desktop and phone, light and dark.",
    )
    .option("--out <file>", "the page", "emails.html")
    .addHelpText(
      "after",
      `
The page holds all it needs and runs no script of an e-mail. It can be attached to a pull request.

Examples:
  $ esign emails render ./account --out emails.html
  $ esign emails render ./account --stack production --against account
  $ esign emails render ./account --company acme --against account/Acme`,
    )
    .action(async (folder: string, options: EmailsOptions & { out: string }) => {
      const before = await openBefore(options);
      const { html, summary } = await pageOf(folder, options, before, false);
      await writeDurably(options.out, html);
      note(`${colours.green("✔")} ${options.out}: ${summary}`);
    });
  withOptions(emails.command("serve"))
    .description("Shows the same page in a browser and loads it again whenever a file changes.")
    .option("--port <number>", "port on this machine; 0 takes a free one", "7420")
    .action(async (folder: string, options: EmailsOptions & { port: string }) => {
      if (!/^\d{1,5}$/.test(options.port) || Number(options.port) > 65535) {
        throw new UsageError(`--port "${options.port}" is no port: write a number from 0 to 65535`);
      }
      if (!existsSync(folder)) throw new UsageError(`there is no folder "${folder}"`);
      if (options.company !== undefined) accountOf(loadFolder(folder).account, options.company);
      const before = await openBefore(options);
      const server = await serveEmails({
        folder,
        port: Number(options.port),
        page: async () => (await pageOf(folder, options, before, true)).html,
      });
      note(`${colours.bold(server.url)} shows ${folder}; Ctrl-C ends it`);
      await server.closed;
    });
}

/** What is held against is read once: an account does not change because one edits. */
async function openBefore(options: EmailsOptions): Promise<Shown | undefined> {
  if (options.against === undefined) return undefined;
  const { model, label, secrets } = await openBaseline(options.against);
  const { withoutSecretTexts } = await import("../../output/print.js");
  // The page is for a pull request.
  return { model: withoutSecretTexts(secrets)(model), label, ...(await logoOf(model, options)) };
}

const logos = new Map<string, Promise<string | undefined>>();

async function logoOf({ branding }: AccountModel, options: EmailsOptions): Promise<{ logo?: string }> {
  const url = branding.logoUrl;
  if (url === undefined || !options.logo) return {};
  const known = logos.get(url) ?? fetchLogo(url);
  logos.set(url, known);
  const logo = await known;
  return logo === undefined ? {} : { logo };
}

async function pageOf(
  folder: string,
  options: EmailsOptions,
  before: Shown | undefined,
  live: boolean,
): Promise<{ html: string; summary: string }> {
  const sample = options.sample === undefined ? undefined : readSample(options.sample);
  const given = { ...valuesOf(options), allowUnknownValues: options.allowUnknownValues === true };
  const loaded = usage(() => loadFolder(folder, given));
  const account = accountOf(loaded.account, options.company);
  const { model, company } = account;
  const findings = lintFolder(loaded, {
    // Rules look for a sub account's texts in the account that it is in.
    ...(before && {
      present: company === undefined ? before.model : asPartner({ name: company.name, account: before.model }),
    }),
    allowUnknownValues: options.allowUnknownValues === true,
  });
  const within = company === undefined ? findings : below(account.folder.path, findings);
  const html = renderPage({
    shown: {
      label: company === undefined ? folder : `${folder}, ${company.name}`,
      model,
      ...(await logoOf(model, options)),
    },
    ...(before && { before }),
    findings: within,
    ...(sample && { sample }),
    live,
  });
  const emails = Object.keys(model.emails).length;
  const summary = `${emails} e-mail${emails === 1 ? "" : "s"}, ${formatCounts(countFindings(within))}`;
  const others = account.companies.map(({ folder }) => folder.company!.slug);
  const without =
    others.length === 0
      ? ""
      : `; without those of ${others.length === 1 ? "its sub account" : `its ${others.length} sub accounts`}: --company ${others[0]} shows them`;
  return { html, summary: summary + without };
}

/** The folder's own account, or one of its sub accounts. */
function accountOf(account: LoadedAccount, wanted: string | undefined): LoadedAccount & { company?: CompanyModel } {
  if (wanted === undefined) return account;
  const named = account.companies.filter(({ company }) => company.slug === wanted || company.name === wanted);
  const [found] = named;
  if (found !== undefined && named.length === 1) return found;
  const all = (found === undefined ? account.companies : named).map(({ company }) => company.slug);
  const slugs = all.slice(0, 10).join(", ") + (all.length > 10 ? ", …" : "");
  throw new UsageError(
    found === undefined
      ? `there is no sub account "${wanted}" in the folder${slugs === "" ? "" : `; there are ${slugs}`}`
      : `several sub accounts are called "${wanted}": name one by its directory, ${slugs}`,
  );
}

/** Findings in a sub account's folder, with files named from there, and in the parts that it shares with others. */
const below = (path: string, findings: readonly Finding[]): Finding[] =>
  findings.flatMap((finding) => {
    if (finding.file.startsWith(`${path}/`)) return [{ ...finding, file: finding.file.slice(path.length + 1) }];
    return finding.file.startsWith("partials/") ? [finding] : [];
  });

function readSample(file: string): Sample {
  const document = parseDocument(usage(() => readFileSync(file, "utf8")));
  const [fault] = findYamlErrors(document);
  if (fault) throw new UsageError(`${file} is not valid YAML: ${fault.message}`);
  const data: unknown = document.toJS();
  if (data === null || typeof data !== "object" || Array.isArray(data)) {
    throw new UsageError(`${file} holds no sample data: write one line for each variable, such as "client name: Zoë"`);
  }
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)]));
}

function usage<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
