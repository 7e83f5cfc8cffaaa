/** Sub accounts of a partner (§4.3). */

import type { World } from "../domain/context";
import { throwApiError } from "../domain/errors";
import type { Account } from "../domain/schema";
import { newAccount } from "../domain/seed";
import type { Call, GroupHandlers } from "./types";
import { monthlyUsage } from "./usage";

function find(world: World, partner: Account, id: string): Account {
  const company = world.byId(id);
  return company?.parent === partner.id ? company : throwApiError(10355);
}

function shown(call: Pick<Call, "id">, company: Account) {
  return { company_id: call.id(company.id), company_name: company.name, company_email: company.email };
}

/** What a list that lags behind shows instead: the records of companies are changed in place. */
const snapshot = (world: World, partner: Account, company: Account) => ({
  record: { ...company },
  index: world.companies(partner).indexOf(company),
});

export const companies: GroupHandlers<"companies"> = {
  create: {
    refusals: { company_name: 10350, user_email: 10351, user_name: 10352 },
    run(call) {
      const { world, account: partner, form, origin } = call;
      const email = form.user_email.toLowerCase();
      if (world.data.accounts.some(({ user }) => user.email.toLowerCase() === email)) throwApiError(10353);
      const company = newAccount({
        id: world.newId((id) => world.byId(id) !== undefined),
        name: form.company_name,
        email: form.user_email,
        created: world.stamp,
        user: {
          id: world.newId((id) => world.data.accounts.some((account) => account.user.id === id)),
          name: form.user_name,
          email: form.user_email,
        },
        parent: partner.id,
      });
      world.data.accounts.push(company);
      world.changed(company);
      world.wrote(partner, "companies", company.id);
      return {
        message: "The company has been created.",
        href: `${origin}/v1/companies/${company.id}`,
        ...shown(call, company),
        api_key: company.key,
        user_id: call.id(company.user.id),
        user_name: company.user.name,
        user_email: company.user.email,
        user_href: `${origin}/v1/users/${company.user.id}`,
        company_added: company.created,
      };
    },
  },
  get: {
    refusals: { company_id: 10355 },
    run(call) {
      const company = find(call.world, call.account, call.params.company_id);
      return {
        ...shown(call, company),
        ...(call.world.settings.companyExtras
          ? { company_api_key: company.key, company_created: company.created }
          : {}),
        contact_created: company.created,
        company_usage: monthlyUsage(company, call.world.now),
      };
    },
  },
  list: {
    run: (call) => ({
      records: call.world.visible(call.account, "companies", call.world.companies(call.account)),
      item: (company: Account) => ({
        ...shown(call, company),
        company_api_key: company.key,
        company_created: company.created,
      }),
    }),
  },
  update: {
    refusals: { company_id: 10355, "": 10358, company_name: [10358, 10010], company_email: [10358, 10010] },
    run(call) {
      const { world, account: partner, form, origin } = call;
      const company = find(world, partner, call.params.company_id);
      world.wrote(partner, "companies", company.id, snapshot(world, partner, company));
      if (form.company_name !== undefined) company.name = form.company_name;
      if (form.company_email !== undefined) company.email = form.company_email;
      world.changed(company);
      return {
        message: "The company has been updated.",
        href: `${origin}/v1/${world.settings.hrefStyle === "other" ? "company" : "companies"}/${company.id}`,
        ...shown(call, company),
        company_updated: world.stamp,
      };
    },
  },
  delete: {
    refusals: { company_id: 10355 },
    run(call) {
      const { world, account: partner } = call;
      const company = find(world, partner, call.params.company_id);
      world.wrote(partner, "companies", company.id, snapshot(world, partner, company));
      world.data.accounts.splice(world.data.accounts.indexOf(company), 1);
      world.retire(company.key, 10006);
      world.changed();
      return { message: "The company has been deleted.", ...shown(call, company) };
    },
  },
};
