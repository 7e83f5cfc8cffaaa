/** Subaccounts of a partner. */

import { throwApiError } from "../domain/api-errors";
import type { Account, User } from "../domain/data-schema";
import { newAccount } from "../domain/new-account";
import type { Context } from "../domain/request-context";
import type { GroupHandlers } from "./handler";
import { monthlyUsage } from "./usage";

function findCompany(context: Context, partner: Account, id: string): Account {
  const company = context.findAccount(id);
  return company?.parent === partner.id ? company : throwApiError(10355);
}

const present = ({ id, name, email }: Account) => ({ company_id: id, company_name: name, company_email: email });

/** What a lagging list shows: companies are changed in place. */
const snapshot = (context: Context, partner: Account, company: Account) => ({
  record: { ...company },
  index: context.companiesOf(partner).indexOf(company),
});

export const companies: GroupHandlers<"companies"> = {
  create: {
    errorCodes: { company_name: 10350, user_email: 10351, user_name: 10352 },
    run(request) {
      const { context, account: partner, form, origin } = request;
      const email = form.user_email.toLowerCase();
      const isTaken = context.data.accounts.some(({ users }) =>
        users.some((user) => user.email.toLowerCase() === email),
      );
      if (isTaken) throwApiError(10353);
      const user: User = {
        id: context.newId((id) => context.data.accounts.some(({ users }) => users.some((other) => other.id === id))),
        name: form.user_name,
        email: form.user_email,
        role: "3",
        added: context.timestamp,
      };
      const company = newAccount({
        id: context.newId((id) => context.findAccount(id) !== undefined),
        name: form.company_name,
        email: form.user_email,
        created: context.timestamp,
        users: [user],
        parent: partner.id,
      });
      context.data.accounts.push(company);
      context.markChanged(company);
      context.recordWrite(partner, "companies", company.id);
      return {
        message: "The company has been created.",
        href: `${origin}/v1/companies/${company.id}`,
        ...present(company),
        api_key: company.key,
        user_id: user.id,
        user_name: user.name,
        user_email: user.email,
        user_href: `${origin}/v1/users/${user.id}`,
        company_added: company.created,
      };
    },
  },
  get: {
    errorCodes: { company_id: 10355 },
    run(request) {
      const company = findCompany(request.context, request.account, request.params.company_id);
      const { edition, companyExtras } = request.context.settings;
      return {
        ...present(company),
        ...((edition === "current" || companyExtras) && {
          company_api_key: company.key,
          company_created: company.created,
        }),
        contact_created: company.created,
        company_usage: monthlyUsage(company, request.context.now),
      };
    },
  },
  list: {
    run: (request) => ({
      records: request.context.listVisible(request.account, "companies", request.context.companiesOf(request.account)),
      item: (company: Account) => ({
        ...present(company),
        company_api_key: company.key,
        company_created: company.created,
      }),
    }),
  },
  update: {
    errorCodes: { company_id: 10355, "": 10358, company_name: [10358, 10010], company_email: [10358, 10010] },
    run(request) {
      const { context, account: partner, form, origin } = request;
      const company = findCompany(context, partner, request.params.company_id);
      context.recordWrite(partner, "companies", company.id, snapshot(context, partner, company));
      if (form.company_name !== undefined) company.name = form.company_name;
      if (form.company_email !== undefined) company.email = form.company_email;
      context.markChanged(company);
      const { hrefStyle, edition } = context.settings;
      const isOther = (hrefStyle ?? (edition === "current" ? "other" : "same")) === "other";
      return {
        message: "The company has been updated.",
        href: `${origin}/v1/${isOther ? "company" : "companies"}/${company.id}`,
        ...present(company),
        company_updated: context.timestamp,
      };
    },
  },
  delete: {
    errorCodes: { company_id: 10355 },
    run(request) {
      const { context, account: partner } = request;
      const company = findCompany(context, partner, request.params.company_id);
      context.recordWrite(partner, "companies", company.id, snapshot(context, partner, company));
      context.data.accounts.splice(context.data.accounts.indexOf(company), 1);
      context.revokeKey(company.key, 10006);
      context.markChanged();
      return { message: "The company has been deleted.", ...present(company) };
    },
  },
};
