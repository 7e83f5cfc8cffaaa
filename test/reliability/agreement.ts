/** Holds what a service has against what a state says: the rules "nothing twice" and "nothing lost". */
import type { ResourceKind } from "../../definitions/model";
import type { Data, Emulator } from "../../emulator";
import { settingsOf } from "../../emulator/domain/account-settings";
import type { Account } from "../../emulator/domain/data-schema";
import { emailContent } from "../../emulator/domain/emails/default-emails";
import { emailTypes } from "../../emulator/domain/enums-by-edition";
import type { Properties } from "../../provider/core/pulumi-values";
import { isAccount, isSingleton } from "../../provider/core/resource-definition";
import { allDefinitions, type HandlerName, handlerOf } from "../../provider/resources/index";
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

/** The objects of a kind that can be created, but those that an account has from the beginning; or the one with a key. */
type Objects = { all(account: Account): readonly { id: string }[] } | { find(account: Account, key: string): object };

/** Where an account has its objects, and the arguments whose values these have by their names. */
const objects: Record<HandlerName, Objects & { fields: string[] }> = {
  webhook: { all: ({ webhooks }) => webhooks, fields: ["type", "url"] },
  contact: { all: ({ contacts }) => contacts, fields: ["name", "email"] },
  user: { all: ({ users }) => users, fields: ["name", "email"] },
  company: { find: (account) => account, fields: ["name", "email"] },
  branding: { find: ({ branding }) => ({ colour: branding.colour.toLowerCase() }), fields: ["colour"] },
  brandingEmail: {
    find: ({ emails }, key) => emails[key as keyof typeof emails] ?? {},
    fields: ["subject", "content", "contentPlain"],
  },
  settings: {
    find: ({ settings }) => ({ emailPdfAttach: String(settings.setting_email_pdf_attach ?? true) === "true" }),
    fields: ["emailPdfAttach"],
  },
};

/** The objects of an account that can be created and deleted, by handler; without its first user, whom it always has. */
function createdIn(account: Account): { handler: HandlerName; id: string }[] {
  return allDefinitions.flatMap((definition) => {
    const handler = handlerOf(definition.kind);
    if (isSingleton(definition) || isAccount(definition)) return [];
    const where = objects[handler];
    if (!("all" in where))
      throw new Error(`${definition.kind} can be created: test/reliability/agreement.ts needs \`all\` of it`);
    return where.all(account).flatMap(({ id }) => (id === account.users[0]!.id ? [] : { handler, id }));
  });
}

/** The ids of all objects that can be deleted. */
export const idsOf = ({ accounts }: Data): Set<string> =>
  new Set(
    accounts.flatMap((account) => [
      ...createdIn(account).map(({ id }) => id),
      ...(account.parent === undefined ? [] : [account.id]),
    ]),
  );

/** Everything in which service and state differ, as sentences; empty when they agree. `theirs`: ids of other people's objects. */
export function disagreements(data: Data, state: readonly Owned[], theirs: ReadonlySet<string> = new Set()): string[] {
  const partner = data.accounts.find((account) => account.partner)!;
  const companies = new Map(data.accounts.filter(({ parent }) => parent === partner.id).map((one) => [one.id, one]));
  const problems: string[] = [];
  const owners = new Map<string, string>();
  for (const { name, handler, id, inputs, outs } of state) {
    const thing = `${handler} ${id}`;
    if (owners.has(thing)) problems.push(`${name} and ${owners.get(thing)} are both ${thing}`);
    owners.set(thing, name);
    const [key, inside] = id.split("/").reverse() as [string, string?];
    const company = companies.get(handler === "company" ? key : (inside ?? ""));
    const account = handler === "company" || inside !== undefined ? company : partner;
    const { fields, ...where } = objects[handler];
    const object =
      account &&
      (("all" in where ? where.all(account).find((one) => one.id === key) : where.find(account, key)) as
        | Properties
        | undefined);
    if (object === undefined) problems.push(`${name}: dangling, there is no ${thing}`);
    for (const field of object === undefined ? [] : fields) {
      if (inputs[field] !== undefined && plain(inputs[field]) !== plain(object![field]))
        problems.push(`${name}: ${field} is another in the account`);
    }
    if (handler === "company" && account && outs && outs.apiKey !== account.key)
      problems.push(`${name}: its key is not known`);
  }
  const gone = new Set(theirs);
  const expectOwner = (thing: string, id: string) => {
    gone.delete(id);
    if (!owners.has(thing) && !theirs.has(id)) problems.push(`orphan: ${thing}`);
  };
  for (const account of [partner, ...companies.values()]) {
    const prefix = account === partner ? "" : `${account.id}/`;
    for (const { handler, id } of createdIn(account)) expectOwner(`${handler} ${prefix}${id}`, id);
  }
  for (const id of companies.keys()) expectOwner(`company ${id}`, id);
  return [...problems, ...[...gone].map((id) => `the unmanaged object ${id} is gone`)];
}

/** The state of a real program, without its secrets and what is of other packages. */
export async function ownedBy(program: Program): Promise<Owned[]> {
  return (await program.state()).flatMap(({ urn, type, id, inputs = {} }) => {
    const handler: HandlerName | undefined = handlerOf(type.split(":").at(-1) as ResourceKind);
    const name = urn.split("::").at(-1)!;
    return handler === undefined || id === undefined ? [] : [{ name, handler, id, inputs: inputs as Properties }];
  });
}

/** The keys, also as they are written in hex, and at the begin of what is encoded for Basic. */
export const secretsOf = (service: Emulator) =>
  service.data().accounts.flatMap(({ key }) => {
    const bytes = Buffer.from(key);
    return [key, bytes.toString("hex"), bytes.toString("base64").slice(0, 20)];
  });

const pick = (object: object, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => fields.includes(name)));

/** All that the partner has, to see whether it is restored: everything but ids, and when texts were changed. */
export function likeness(service: Emulator) {
  const { accounts } = service.data();
  const partner = accounts.find((account) => account.partner)!;
  return {
    colour: partner.branding.colour,
    logo: partner.branding.logo?.split("?")[0],
    emails: emailTypes.map((type) => ({ ...emailContent(partner, type), type, updated: undefined })),
    companies: accounts.filter(({ parent }) => parent === partner.id).map(({ name }) => name),
    roles: partner.users.map(({ role }) => role),
    objects: Object.fromEntries(
      Object.entries(objects).flatMap(([handler, where]) =>
        "all" in where ? [[handler, where.all(partner).map((one) => pick(one, where.fields))]] : [],
      ),
    ) as Partial<Record<HandlerName, Record<string, unknown>[]>>,
    settings: Object.entries(settingsOf(partner, service.settings.edition)).map(([name, value]) => `${name} ${value}`),
  };
}
