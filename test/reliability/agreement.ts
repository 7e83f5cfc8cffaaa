/** Holds what a service has against what a state says: the rules "nothing twice" and "nothing lost". */
import type { Data, Emulator } from "../../emulator";
import type { Properties } from "../../provider/core/pulumi-values";
import { type HandlerName, handlerOf } from "../../provider/resources/index";
import { connect } from "../../sdk";
import type { Program } from "../provider/programs";

/** One object of a state. Without `outs` its secrets are not looked at. */
export interface Owned {
  name: string;
  handler: HandlerName;
  id: string;
  inputs: Properties;
  outs?: Properties;
}

/** Services may write line ends otherwise, and take spaces at the ends away. */
export const plain = (value: unknown) => (typeof value === "string" ? value.replaceAll("\r\n", "\n").trim() : value);

/** Everything in which service and state differ, in words; empty when they agree. `theirs`: ids of other people's objects. */
export function disagreements(data: Data, state: readonly Owned[], theirs: ReadonlySet<string> = new Set()): string[] {
  const partner = data.accounts.find((account) => account.partner)!;
  const companies = new Map(
    data.accounts.filter(({ parent }) => parent === partner.id).map((company) => [company.id, company]),
  );
  const problems: string[] = [];
  const owners = new Map<string, string>();
  for (const owned of state) {
    const { name, handler, id, inputs } = owned;
    const thing = `${handler} ${id}`;
    if (owners.has(thing)) problems.push(`${name} and ${owners.get(thing)} are both ${thing}`);
    owners.set(thing, name);
    const [key, inside] = id.split("/").reverse() as [string, string?];
    const account = inside === undefined ? partner : companies.get(inside);
    const expect = (what: string, found: unknown) => {
      if (inputs[what] !== undefined && plain(inputs[what]) !== plain(found))
        problems.push(`${name}: ${what} is another in the account`);
    };
    if (account === undefined) {
      problems.push(`${name}: dangling, there is no company ${inside}`);
    } else if (handler === "webhook") {
      const webhook = account.webhooks.find((candidate) => candidate.id === key);
      if (webhook === undefined) problems.push(`${name}: dangling, there is no webhook ${id}`);
      else for (const what of ["type", "url"] as const) expect(what, webhook[what]);
    } else if (handler === "company") {
      const company = companies.get(key);
      if (company === undefined) problems.push(`${name}: dangling, there is no company ${id}`);
      else {
        for (const what of ["name", "email"] as const) expect(what, company[what]);
        if (owned.outs !== undefined && owned.outs.apiKey !== company.key)
          problems.push(`${name}: its key is not known`);
      }
    } else if (handler === "contact" || handler === "user") {
      const people = handler === "user" ? account.users : account.contacts;
      const person = people.find((candidate) => candidate.id === key);
      if (person === undefined) problems.push(`${name}: dangling, there is no ${handler} ${id}`);
      else for (const what of ["name", "email"] as const) expect(what, person[what]);
    } else if (handler === "settings") {
      expect("emailPdfAttach", String(account.settings.setting_email_pdf_attach ?? true) === "true");
    } else if (handler === "branding") {
      expect("colour", account.branding.colour.toLowerCase());
    } else {
      const email = account.emails[key as keyof typeof account.emails];
      for (const what of ["subject", "content", "contentPlain"] as const) {
        if (inputs[what] !== undefined) expect(what, email?.[what]);
      }
    }
  }
  for (const account of [partner, ...companies.values()]) {
    const prefix = account === partner ? "" : `${account.id}/`;
    for (const { id, url } of account.webhooks) {
      if (owners.has(`webhook ${prefix}${id}`) || theirs.has(id)) continue;
      problems.push(`orphan: webhook ${prefix}${id} (${url})`);
    }
    for (const [handler, people] of [
      ["user", account.users.slice(1)],
      ["contact", account.contacts],
    ] as const) {
      for (const { id, email } of people) {
        if (owners.has(`${handler} ${prefix}${id}`) || theirs.has(id)) continue;
        problems.push(`orphan: ${handler} ${prefix}${id} (${email})`);
      }
    }
  }
  for (const { id, name } of companies.values()) {
    if (!owners.has(`company ${id}`) && !theirs.has(id)) problems.push(`orphan: company ${id} (${name})`);
  }
  for (const id of theirs) {
    const isThere =
      companies.has(id) ||
      [...partner.webhooks, ...partner.users, ...partner.contacts].some((object) => object.id === id);
    if (!isThere) problems.push(`somebody else's object ${id} is gone`);
  }
  return problems;
}

/** The handler of a resource type; undefined for those of other packages. */
const handlerOfType = (type: string): HandlerName | undefined => handlerOf(type.split(":").at(-1)!);

/** The state of a real program, without its secrets. */
export async function ownedBy(program: Program): Promise<Owned[]> {
  return (await program.state()).flatMap(({ urn, type, id, inputs }) => {
    const handler = handlerOfType(type);
    return handler === undefined || id === undefined
      ? []
      : [{ name: urn.split("::").at(-1)!, handler, id, inputs: (inputs ?? {}) as Properties }];
  });
}

/** All that an account has, to see whether it is put back: everything but ids and the times of e-mails. */
export async function likeness(service: Emulator): Promise<unknown> {
  const client = connect({ baseUrl: service.url, apiKey: service.keys.partner });
  const { branding_colour, branding_logo } = await client.branding.get();
  const { branding_emails } = await client.branding.emails();
  return {
    colour: branding_colour,
    logo: branding_logo?.split("?")[0],
    emails: branding_emails.map(({ branding_email_updated: _, ...texts }) => texts),
    webhooks: (await client.webhooks.list().all()).map(({ webhook_type: type, webhook_url: url }) => ({ type, url })),
    companies: (await client.companies.list().all()).map(({ company_name }) => company_name),
    users: (await client.users.list().all()).map(({ user_email, role_id }) => ({ user_email, role_id })),
    contacts: (await client.contacts.list().all()).map(({ contact_email }) => contact_email),
    settings: Object.entries(await client.settings.get()).map(([name, value]) => `${name} ${value}`),
  };
}
