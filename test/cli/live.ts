/** What a service has, read and changed over HTTP without any code of ours. */
import type { Emulator } from "../../emulator";

export interface Texts {
  subject: string;
  content: string;
  contentPlain: string;
}
export interface Live {
  colour: string;
  /** Path of the logo. */
  logo: string;
  emails: Record<string, Texts>;
  webhooks: { id: string; type: string; url: string }[];
}
export interface LiveCompany extends Live {
  id: string;
  name: string;
  email: string;
  key: string;
}

/** Asks the service, with the fields of a form or without. */
// biome-ignore lint/suspicious/noExplicitAny: an answer may be anything.
export async function ask(service: Emulator, key: string, path: string, method = "GET", form?: object): Promise<any> {
  const reply = await fetch(`${service.url}/v1/${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${key}:x`)}` },
    ...(form && { body: new URLSearchParams({ ...form }) }),
  });
  const answer = (await reply.json()) as { code?: number };
  if (!reply.ok && answer.code !== 10008) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
async function list(service: Emulator, key: string, area: string): Promise<any[]> {
  const found = [];
  for (;;) {
    const page = await ask(service, key, `${area}?offset=${found.length + 1}&limit=50`);
    found.push(...(page[area] ?? []));
    if (found.length >= Number(page[`total_${area}`] ?? 0)) return found;
  }
}

/** What the account of a key has. */
export async function readLive(service: Emulator, key: string): Promise<Live> {
  const { branding_colour: colour, branding_logo: logo } = await ask(service, key, "branding");
  const { branding_emails } = await ask(service, key, "branding/emails");
  return {
    colour,
    logo: new URL(logo).pathname,
    emails: Object.fromEntries(
      branding_emails.map((each: Record<string, string>) => [
        each.branding_email_type,
        {
          subject: each.branding_email_subject,
          content: each.branding_email_content,
          contentPlain: each.branding_email_content_plain,
        },
      ]),
    ),
    webhooks: (await list(service, key, "webhooks")).map((each) => ({
      id: String(each.webhook_id),
      type: each.webhook_type,
      url: each.webhook_url,
    })),
  };
}

/** The subaccounts of the partner, by their addresses. */
export async function readCompanies(service: Emulator): Promise<LiveCompany[]> {
  const found: LiveCompany[] = [];
  for (const each of await list(service, service.keys.partner, "companies"))
    found.push({
      ...(await readLive(service, each.company_api_key)),
      id: String(each.company_id),
      name: each.company_name,
      email: each.company_email,
      key: each.company_api_key,
    });
  return found.sort((a, b) => (a.email < b.email ? -1 : 1));
}
