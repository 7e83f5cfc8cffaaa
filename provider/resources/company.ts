/** Sub accounts of a partner (§2.4, §4.3). */
import { z } from "zod";
import { normalizeName } from "../../account-folder/text/normalize";
import { email, oneOf, text } from "../../sdk/api/scalars";
import type { Client } from "../../sdk/client";
import { ApiError } from "../../sdk/errors";
import type { Properties } from "../core/pulumi-values";
import { type AccountHandle, defineResource, type Issue } from "../core/resource-definition";
import { ObjectStore } from "../objects/object-store";
import { refreshMaxAge } from "../session/account";
import { assertNotTestKey, assertSameId } from "./check-response";

type Maybe = string | null | undefined;

/** A company as creation, list and update answer it, in one form. */
export interface CompanyItem {
  company_id: string;
  company_name?: Maybe;
  company_email?: Maybe;
  company_api_key?: Maybe;
  company_created?: Maybe;
  user_id?: Maybe;
}

/** A company as the service answers it alone, without its key. */
type CompanyAlone = Awaited<ReturnType<Client["companies"]["get"]>>;

/** The companies of a partner, read together: the list is what shows their keys. */
export function companiesOf(account: AccountHandle) {
  return account.memoize(
    "companies",
    () =>
      new ObjectStore<CompanyItem, CompanyAlone>(
        {
          async *list(from) {
            for await (const company of account.client.companies.list({ offset: from })) {
              account.session.addSecret(company.company_api_key);
              yield company;
            }
          },
          isComplete: false,
          async one(id) {
            const answer = await account.client.companies.get({ company_id: id });
            assertSameId(answer.company_id, id);
            return answer;
          },
          idOf: (company) => company.company_id,
        },
        account.session,
      ),
  );
}

/** False for a sub account that the partner does not have (any more). */
export async function accountExists({ companyId, session }: AccountHandle): Promise<boolean> {
  if (companyId === undefined) return true;
  return (await companiesOf(session.account()).read(companyId, refreshMaxAge)) !== undefined;
}

/** States of an envelope that is under way: deleting its account ends it. */
const open = new Set(["draft", "processing", "sent"]);
/** Pages of envelopes that are read to count those under way. */
const mostPages = 10;

async function losses(account: AccountHandle, id: string): Promise<string | undefined> {
  const parts: string[] = [];
  const company = await companiesOf(account).one(id);
  if (company === undefined) return undefined;
  const months = company.company_usage ?? [];
  const sent = months.reduce((total, month) => total + (month.sent ?? 0), 0);
  const isWhole = months.every((month) => month.sent !== undefined);
  parts.push(`${isWhole ? "" : "at least "}${sent} envelopes sent in the months that the service shows`);
  let pages = 0;
  let underWay = 0;
  const sub = account.session.account(id).client;
  for await (const page of sub.envelopes.list().pages()) {
    underWay += page.envelopes.filter(({ envelope_status }) => open.has(envelope_status)).length;
    if (++pages === mostPages) break;
  }
  parts.push(`${pages === mostPages ? "at least " : ""}${underWay} envelopes under way`);
  return parts.join(", ");
}

/** Services answer a name in the notation of their pages. */
const canonical = (field: string, value: string) =>
  field === "name" ? normalizeName(value) : field === "email" || field === "userEmail" ? value.toLowerCase() : value;

const hasName = (company: CompanyItem, args: Properties) =>
  normalizeName(company.company_name ?? "") === normalizeName(args.name as string);

const lower = (value: unknown) => (typeof value === "string" ? value.trim().toLowerCase() : undefined);

function matchEmail(company: CompanyItem, args: Properties): boolean {
  const found = lower(company.company_email);
  return found !== undefined && [lower(args.email), lower(args.userEmail)].includes(found);
}

/** What the user writes. */
export const companyArgs = {
  /** Name of the company. */
  name: text,
  /** Name of its first user. It cannot be changed later. */
  userName: text,
  /** E-mail address of its first user, one that no other account uses. It cannot be changed later. */
  userEmail: email,
  /** Main e-mail address of the company. Default: what the service makes of the first user's. */
  email: email.optional(),
  /** What happens when an equal company exists: `adopt` takes it over, `fail` stops, `create` makes another. Default: adopt. */
  onExisting: oneOf(["adopt", "fail", "create"]).optional(),
  /** Whether the company is kept from being deleted, with all that is in it. Default: true. */
  deletionProtection: z.boolean("must be true or false").optional(),
};

/** What comes back besides. */
export const companyOutputs = {
  /** Identifier of the company. */
  companyId: z.string(),
  /** The company's own key. Secret. */
  apiKey: z.string(),
  /** Identifier of its first user; absent for a company that was taken over. */
  userId: z.string().optional(),
  /** When it was created. */
  createdAt: z.string().optional(),
};

export const company = defineResource({
  kind: "Company",
  handler: "company",
  args: z.object(companyArgs),
  outputs: z.object(companyOutputs),
  secrets: ["apiKey"],
  fields: ["name", "email"],
  createOnly: ["userName", "userEmail"],
  naturalKey: ["name", "userEmail"],
  defaults: { onExisting: "adopt", deletionProtection: true },

  key: (wire) => wire.company_id,
  normalize: canonical,
  toApi: (fields) => ({
    ...(fields.name !== undefined && { company_name: fields.name }),
    ...(fields.email !== undefined && { company_email: fields.email }),
  }),
  fromApi: (wire: CompanyItem) => ({
    fields: { name: wire.company_name ?? undefined, email: wire.company_email ?? undefined },
    outputs: {
      companyId: wire.company_id,
      // The state may know what this answer leaves empty, such as a key that is shown once.
      apiKey: wire.company_api_key || undefined,
      userId: wire.user_id || undefined,
      createdAt: wire.company_created || undefined,
    },
  }),

  issues(args, { olds }) {
    const faults: Issue[] = [];
    const replaceable =
      args.deletionProtection === false && olds.deletionProtection === false && args.onExisting === "create";
    for (const field of ["userName", "userEmail"]) {
      const [before, after] = [olds[field], args[field]];
      if (typeof before !== "string" || typeof after !== "string" || replaceable) continue;
      if (canonical(field, before) === canonical(field, after)) continue;
      faults.push({
        field,
        message:
          'cannot be changed: it would take another company, and this one with its envelopes would be deleted. Put the old value back, or run `up` with deletionProtection: false and onExisting: "create", then change it and run `up --replace <urn>`',
      });
    }
    return faults;
  },

  read: (account, key, age) => companiesOf(account).read(key, age),

  async update(account, key, form) {
    const answer = await account.client.companies.update({ company_id: key, ...form });
    assertNotTestKey(answer);
    assertSameId(answer.company_id, key);
    const { company_name, company_email } = answer;
    companiesOf(account).written(key, form, { company_name, company_email });
    return { ...companiesOf(account).cached(key), company_id: key, company_name, company_email };
  },

  collection: {
    objects: companiesOf,
    createFields: ["name"],
    match(wire, args) {
      if (!hasName(wire, args)) return "other";
      return matchEmail(wire, args) ? "equal" : "doubtful";
    },
    matchNew: (wire, args) => hasName(wire, args) && (!wire.company_email || matchEmail(wire, args)),
    isAlreadyExistsError: (error) => error instanceof ApiError && error.code === 10353,
    async create(account, args) {
      const answer = await account.client.companies.create({
        company_name: args.name as string,
        user_name: args.userName as string,
        user_email: args.userEmail as string,
      });
      assertNotTestKey(answer);
      account.session.addSecret(answer.api_key);
      return {
        company_id: answer.company_id,
        company_name: answer.company_name ?? (args.name as string),
        company_email: answer.company_email,
        company_api_key: answer.api_key,
        company_created: answer.company_added,
        user_id: answer.user_id,
      };
    },
    async delete(account, key) {
      const answer = await account.client.companies.delete({ company_id: key });
      assertNotTestKey(answer);
      assertSameId(answer.company_id, key);
      return answer.company_id !== undefined;
    },
    deletionGuard: (state) =>
      state.deletionProtection === false
        ? undefined
        : "deletionProtection keeps the company and all that is in it from being deleted; run `up` with deletionProtection: false first",
    describeLoss: losses,
  },
});
