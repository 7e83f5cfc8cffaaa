import * as pulumi from "@pulumi/pulumi";
import * as esign from "pulumi-esign";

/** The customers of the partner: each gets a subaccount. */
const customers = [
  {
    id: "harbour",
    name: "Harbour Lettings",
    owner: { name: "Hanna Berg", email: "hanna@harbour.example.com" },
    colour: "#0B7285",
    endpoint: "https://harbour.example.com/esign",
  },
];

const companies = customers.map(({ id, name, owner, colour, endpoint }) => {
  // A subaccount is protected: neither `destroy` nor removal from the list deletes it. See `deletionProtection`.
  const company = new esign.Company(id, { name, userName: owner.name, userEmail: owner.email });
  new esign.Branding(id, { account: company, colour });
  new esign.Webhook(`${id}-signed`, { account: company, type: "signed-envelope-complete", url: `${endpoint}/signed` });
  return [id, company] as const;
});

export const companyIds = Object.fromEntries(companies.map(([id, company]) => [id, company.companyId]));
/** A secret: shown by `esign stack output --show-secrets` only. */
export const apiKeys = pulumi.secret(Object.fromEntries(companies.map(([id, company]) => [id, company.apiKey])));
