import * as pulumi from "@pulumi/pulumi";
import * as esign from "pulumi-esign";
import { emailTexts } from "./emails";

/** A customer: everything in the subaccount follows from it. */
interface Customer {
  name: string;
  owner: { name: string; email: string };
  /** Main email address of the company. */
  email: string;
  colour: string;
  logoUrl: string;
  /** Base URL of the customer's webhooks. */
  endpoint: string;
}

const customers: Record<string, Customer> = {
  harbour: {
    name: "Harbour Lettings",
    owner: { name: "Hanna Berg", email: "hanna@harbour.example.com" },
    email: "office@harbour.example.com",
    colour: "#0B7285",
    logoUrl: "https://harbour.example.com/logo.png",
    endpoint: "https://harbour.example.com/esign",
  },
  orchard: {
    name: "Orchard Insurance",
    owner: { name: "Omar Diallo", email: "omar@orchard.example.com" },
    email: "contracts@orchard.example.com",
    colour: "#5C940D",
    logoUrl: "https://orchard.example.com/logo.png",
    endpoint: "https://orchard.example.com/esign",
  },
};

/** A subaccount with everything in it. Its key is looked up when it is needed; it is in no input of these resources. */
function account(name: string, customer: Customer) {
  const company = new esign.Company(name, {
    name: customer.name,
    userName: customer.owner.name,
    userEmail: customer.owner.email,
    email: customer.email,
    // So that `destroy` can clean up this example. Leave it out for real customers: then nothing deletes them.
    deletionProtection: false,
  });

  new esign.Branding(name, { account: company, logoUrl: customer.logoUrl, colour: customer.colour });
  for (const type of ["email-send", "email-reminder", "email-signed"] as const) {
    const texts = emailTexts(type, { colour: customer.colour, supportEmail: customer.email });
    new esign.BrandingEmail(`${name}-${type}`, { account: company, type, ...texts });
  }
  for (const type of ["signed-envelope-complete", "rejected-envelope"] as const) {
    new esign.Webhook(`${name}-${type}`, { account: company, type, url: `${customer.endpoint}/${type}` });
  }
  return company;
}

const companies = Object.entries(customers).map(([name, customer]) => [name, account(name, customer)] as const);

export const companyIds = Object.fromEntries(companies.map(([name, company]) => [name, company.companyId]));
/** A secret: shown by `esign stack output --show-secrets` only. */
export const apiKeys = pulumi.secret(Object.fromEntries(companies.map(([name, company]) => [name, company.apiKey])));
