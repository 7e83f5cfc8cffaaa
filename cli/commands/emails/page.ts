/** The page with an account's email templates, from its folder: what `render` writes and `serve` shows. */
import { basename, resolve } from "node:path";
import { parseDocument } from "yaml";
import { fetchLogo } from "../../../account-folder/email-page/logo";
import { renderPage, type Shown } from "../../../account-folder/email-page/page";
import type { Sample } from "../../../account-folder/email-page/sample-data";
import type { Finding } from "../../../account-folder/finding";
import type { LoadedAccount } from "../../../account-folder/folder/fill-folder";
import { readFileIn } from "../../../account-folder/folder/folder-files";
import { loadFolder } from "../../../account-folder/folder/load-folder";
import { findYamlErrors } from "../../../account-folder/folder/yaml-errors";
import { companyName } from "../../../definitions/company";
import { type AccountModel, type Item, soleFields } from "../../../definitions/model";
import { lintFolder } from "../../../rules/lint/lint-folder";
import { countFindings, formatCounts } from "../../../rules/lint/reporters";
import { asUsageError } from "../../output/describe-error";
import { UsageError } from "../../output/errors";
import { openBaseline } from "../../references/baseline";
import { allowsUnknownIn, type ValuesOptions, valuesOfOptions } from "../../references/value-options";

export interface EmailsOptions extends ValuesOptions {
  company?: string;
  baseline?: string;
  sample?: string;
  logo: boolean;
  allowUnknownValues?: boolean;
}

/** The baseline is read once: editing files does not change it. */
export async function openBefore(options: EmailsOptions): Promise<Shown | undefined> {
  if (options.baseline === undefined) return undefined;
  const { model, label, secrets } = await openBaseline(options.baseline);
  const { withoutSecretTexts } = await import("../../output/print-lines.js");
  // The page is for a pull request.
  return { model: withoutSecretTexts(secrets)(model), label, ...(await logoOf(model, options)) };
}

const logos = new Map<string, Promise<string | undefined>>();

async function logoOf(model: AccountModel, options: EmailsOptions): Promise<{ logo?: string }> {
  const url = soleFields(model, "Branding").logoUrl;
  if (!url || !options.logo) return {};
  const loading = logos.get(url) ?? fetchLogo(url);
  logos.set(url, loading);
  const logo = await loading;
  return logo === undefined ? {} : { logo };
}

export async function pageOf(
  folder: string,
  options: EmailsOptions,
  before: Shown | undefined,
  live: boolean,
): Promise<{ html: string; emails: number; summary: string; hasFindings: boolean }> {
  const sample = options.sample === undefined ? undefined : readSample(folder, options.sample);
  const allowUnknownValues = allowsUnknownIn(folder, options);
  const settings = { ...valuesOfOptions(folder, options), allowUnknownValues };
  const loaded = usage(() => loadFolder(folder, settings));
  const account = accountOf(loaded.account, options.company);
  const { model, company } = account;
  const findings = lintFolder(loaded, {
    // Rules look for a subaccount's email templates in the account that contains it.
    ...(before && {
      present: company === undefined ? before.model : { Company: [{ fields: company.fields, account: before.model }] },
    }),
    allowUnknownValues,
  });
  const within = company === undefined ? findings : below(account.folder.path, findings);
  // The page is read elsewhere, where `.` is no name.
  const label = /[^./\\]/.test(folder) ? folder : basename(resolve(folder));
  const html = renderPage({
    shown: {
      label: company === undefined ? label : `${label}, ${companyName(company)}`,
      model,
      ...(await logoOf(model, options)),
    },
    ...(before && { before }),
    findings: within,
    ...(sample && { sample }),
    live,
  });
  const emails = model.BrandingEmail?.length ?? 0;
  const summary = `${emails} email template${emails === 1 ? "" : "s"}, ${formatCounts(countFindings(within))}`;
  const others = account.companies.map(({ folder }) => folder.company!.slug);
  const without =
    others.length === 0
      ? ""
      : `; without ${others.length === 1 ? "its subaccount" : `its ${others.length} subaccounts`} (--company ${others[0]})`;
  return { html, emails, summary: summary + without, hasFindings: within.length > 0 };
}

/** The folder's own account, or one of its subaccounts. */
export function accountOf(account: LoadedAccount, wanted: string | undefined): LoadedAccount & { company?: Item } {
  if (wanted === undefined) return account;
  const named = account.companies.filter(({ company }) => company.name === wanted || companyName(company) === wanted);
  const [found] = named;
  if (found !== undefined && named.length === 1) return found;
  const all = (found === undefined ? account.companies : named).map(({ company }) => company.name);
  const slugs = all.slice(0, 10).join(", ") + (all.length > 10 ? ", …" : "");
  throw new UsageError(
    found === undefined
      ? `there is no subaccount "${wanted}" in the folder${slugs === "" ? "" : `; it has ${slugs}`}`
      : `several subaccounts are called "${wanted}": use a directory, ${slugs}`,
  );
}

/** Findings in a subaccount's folder, with paths relative to it, and in the shared partials. */
const below = (path: string, findings: readonly Finding[]): Finding[] =>
  findings.flatMap((finding) => {
    if (finding.file.startsWith(`${path}/`)) return [{ ...finding, file: finding.file.slice(path.length + 1) }];
    return finding.file.startsWith("partials/") ? [finding] : [];
  });

function readSample(folder: string, file: string): Sample {
  const text = usage(() => readFileIn(folder, file));
  const document = parseDocument(text);
  const [fault] = findYamlErrors(document, text);
  if (fault) throw new UsageError(`${file} is not valid YAML: ${fault.message}`);
  const data: unknown = document.toJS();
  if (data === null || typeof data !== "object" || Array.isArray(data)) {
    throw new UsageError(`${file} contains no sample data: write one line per variable, such as "client name: Zoë"`);
  }
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)]));
}

function usage<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw asUsageError(error);
  }
}
