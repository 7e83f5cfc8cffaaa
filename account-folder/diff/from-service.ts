/** Reads an account's configuration from the service: three requests for each account, and a listing for a partner. */
import { ApiError, type Client } from "../../sdk";
import { type CompanyFilter, isIncluded, unmatchedEntries } from "../company-filter";
import { type AccountModel, type CompanyModel, type EmailText, emptyAccount } from "../model";
import { byText } from "../text/sort";

export interface ReadOptions {
  /** Default: `"all"` for a partner's key; an account that is no partner has none. */
  companies?: CompanyFilter;
  /** Sub accounts read at the same time (8). The client bounds the requests in flight besides. */
  parallel?: number;
  /** Called after each sub account, in the order of completion. */
  onCompany?: (company: CompanyModel, done: number, total: number) => void | Promise<void>;
}

/**
 * Reads an account, for a partner with its chosen sub accounts.
 * Rejects with the client's errors (§7), and with {@link UnknownCompany} for a chosen sub account that does not exist.
 */
export async function readAccount(client: Client, options: ReadOptions = {}): Promise<AccountModel> {
  const account = await readOwnAccount(client);
  const companies = await listCompanies(client, options.companies ?? "all");
  if (!companies) return account;
  return { ...account, companies: await readCompanies(client, companies, options) };
}

/** Reads branding, e-mails and webhooks of the account that the key belongs to. */
export async function readOwnAccount(client: Client): Promise<AccountModel> {
  const [branding, emails, webhooks] = await Promise.all([
    client.branding.get(),
    client.branding.emails(),
    client.webhooks.list().all(),
  ]);
  return {
    branding: present({ logoUrl: branding.branding_logo, colour: branding.branding_colour }),
    emails: Object.fromEntries(
      emails.branding_emails
        .map((email): [string, EmailText] => [
          email.branding_email_type,
          present({
            subject: email.branding_email_subject,
            content: email.branding_email_content,
            contentPlain: email.branding_email_content_plain,
          }),
        ])
        .filter(([, text]) => Object.keys(text).length > 0)
        .sort(byText(([type]) => type)),
    ),
    webhooks: webhooks
      .map((webhook) => ({ id: webhook.webhook_id, type: webhook.webhook_type, url: webhook.webhook_url }))
      .sort(byText((webhook) => [webhook.type, webhook.url, webhook.id.padStart(20, "0")].join("\n"))),
  };
}

/** A sub account is named that there is not. */
export class UnknownCompany extends Error {
  override readonly name = "UnknownCompany";
}

/**
 * The chosen sub accounts, not yet read, in the order of their names; undefined for an account that is no partner, or
 * for the choice `"none"`.
 */
export async function listCompanies(client: Client, choice: CompanyFilter): Promise<CompanyModel[] | undefined> {
  if (choice === "none") return undefined;
  let all: CompanyModel[];
  try {
    all = (await client.companies.list().all()).map((company) => ({
      id: company.company_id,
      name: company.company_name,
      ...present({ email: company.company_email }),
    }));
  } catch (error) {
    if (choice === "all" && isNoPartner(error)) return undefined;
    throw error;
  }
  all.sort(byText((company) => [company.name, company.email ?? "", company.id?.padStart(20, "0")].join("\n")));
  if (choice === "all") return all;
  const unknown = unmatchedEntries([{ ...emptyAccount(), companies: all }], choice);
  if (unknown.length > 0) {
    const names = unknown.map((wanted) => `"${wanted}"`).join(", ");
    throw new UnknownCompany(
      `no sub account has the id or the name ${names}; "esign companies list" shows those that exist`,
    );
  }
  return all.filter((company) => isIncluded(choice, company));
}

/** Reads the configuration of sub accounts, some at a time, in the order given. */
export async function readCompanies(
  client: Client,
  companies: readonly CompanyModel[],
  options: Pick<ReadOptions, "parallel" | "onCompany"> = {},
): Promise<CompanyModel[]> {
  const results: CompanyModel[] = new Array(companies.length);
  let next = 0;
  let done = 0;
  let failed = false;
  const work = async () => {
    // After a failure nothing more is begun: with a wrong key every further request would fail as well.
    while (next < companies.length && !failed) {
      const index = next++;
      const company = companies[index]!;
      try {
        const read = { ...company, account: await readCompany(client, company) };
        results[index] = read;
        await options.onCompany?.(read, ++done, companies.length);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  // All workers are awaited before a failure is passed on, so that nothing runs on behind the caller's back.
  const ended = await Promise.allSettled(
    Array.from({ length: Math.min(options.parallel ?? 8, companies.length) }, work),
  );
  const failure = ended.find((end) => end.status === "rejected");
  if (failure) throw failure.reason;
  return results;
}

async function readCompany(client: Client, { id, name }: CompanyModel): Promise<AccountModel> {
  try {
    return await readOwnAccount(client.as(id ?? ""));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the sub account "${name}" (${id}) could not be read: ${why}`, { cause });
  }
}

/**
 * A key that reads its own account, but not the sub accounts, belongs to no partner (§4.3); the answer differs by service. Not
 * so the answers that speak of the moment: too slow, too early, too many.
 */
function isNoPartner(error: unknown): boolean {
  return (
    error instanceof ApiError && error.status >= 400 && error.status < 500 && ![408, 425, 429].includes(error.status)
  );
}

/** Leaves out what is not set. An empty text counts as not set: the service answers either for an e-mail never given. */
function present<K extends string>(values: Record<K, string | null | undefined>): { [k in K]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as { [k in K]?: string };
}
