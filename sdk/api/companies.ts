/** Subaccounts of a partner. All operations need a partner key. */
import { z } from "zod";
import { endpoint, pageBase, responseBase } from "./endpoint";
import { email, id, idInput, optionalCount, optionalTimestamp, text, total } from "./scalars";

/** One company in a list. */
export const company = z.looseObject({
  /** Identifier. */
  company_id: id,
  company_name: z.string(),
  /** Main email address of the company. */
  company_email: z.string().nullish(),
  /** The company's own key. Secret. */
  company_api_key: z.string().nullish(),
  company_created: optionalTimestamp,
});
export type CompanyRecord = z.output<typeof company>;

const params = z.object({
  /** Identifier of the company. */
  company_id: idInput,
});

export const create = endpoint({
  method: "POST",
  path: "/v1/companies",
  summary: "Creates a subaccount with its first user. Returns the new account's key, once.",
  section: "4.3",
  partner: true,
  form: z.object({
    /** Name of the company. */
    company_name: text,
    /** Name of its first user. */
    user_name: text,
    /** Email address of its first user. */
    user_email: email,
  }),
  response: responseBase.extend({
    company_id: id,
    company_name: z.string().nullish(),
    company_email: z.string().nullish(),
    /** The company's own key. Secret. Only this response and the partner's list contain it. */
    api_key: z.string().nullish(),
    user_id: id.nullish(),
    user_name: z.string().nullish(),
    user_email: z.string().nullish(),
    user_href: z.string().nullish(),
    company_added: optionalTimestamp,
  }),
});

export const get = endpoint({
  method: "GET",
  path: "/v1/companies/{company_id}",
  summary: "Returns one subaccount and its usage by month.",
  section: "4.3",
  partner: true,
  params,
  missingCode: 10355,
  response: responseBase.extend({
    ...company.shape,
    company_name: z.string().nullish(),
    contact_created: optionalTimestamp,
    /** Envelopes sent, by month. */
    company_usage: z
      .array(
        z.looseObject({
          /** Name of the month. */
          month: z.string(),
          year: z.union([z.string(), z.number()]).transform(String),
          /** Number of envelopes sent. */
          sent: optionalCount,
        }),
      )
      .nullish(),
  }),
});

export const list = endpoint({
  method: "GET",
  path: "/v1/companies",
  summary: "Lists the subaccounts.",
  section: "4.3",
  partner: true,
  response: pageBase.extend({
    /** Total number of companies. */
    total_companies: total,
    companies: z.array(company),
  }),
  list: { items: "companies", total: "total_companies", id: "company_id", emptyCode: 10360 },
});

export const update = endpoint({
  method: "PUT",
  path: "/v1/companies/{company_id}",
  summary: "Changes a subaccount's name, email address or both.",
  section: "4.3",
  partner: true,
  params,
  form: z
    .object({
      /** Name of the company. */
      company_name: text.optional(),
      /** Main email address of the company. */
      company_email: email.optional(),
    })
    .refine(
      (form) => form.company_name !== undefined || form.company_email !== undefined,
      "needs company_name or company_email",
    ),
  response: responseBase.extend({
    company_id: id.optional(),
    company_name: z.string().nullish(),
    company_email: z.string().nullish(),
    company_updated: optionalTimestamp,
  }),
});

const remove = endpoint({
  method: "DELETE",
  path: "/v1/companies/{company_id}",
  summary: "Deletes a subaccount and all its data.",
  section: "4.3",
  partner: true,
  params,
  response: responseBase.extend({
    company_id: id.optional(),
    company_name: z.string().nullish(),
    company_email: z.string().nullish(),
  }),
});

export { remove as delete };
