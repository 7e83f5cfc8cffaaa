/** What a stack has deployed, as one side of a comparison: the declared values of the resources in its state. */

import { type AccountModel, type CompanyModel, emptyAccount } from "../model";
import type { ConfigSource } from "./comparison";

/** A resource of a stack, as the state has it. */
export interface StateResource {
  type: string;
  name: string;
  /** URN of the parent. */
  parent?: string;
  id?: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
}

/** The kind of one of our resources by its type, `pulumi-nodejs:dynamic/esign:Webhook`; undefined for others. */
export function kindOfType(type: string): string | undefined {
  return /^pulumi-nodejs:dynamic\/esign:(\w+)$/.exec(type)?.[1];
}

/** The account that the resources describe, those in sub accounts under their company. */
export function stateModel(resources: readonly StateResource[]): AccountModel {
  const root = emptyAccount();
  const companies = new Map<string, CompanyModel>();
  for (const { type, id, inputs, name } of resources) {
    if (kindOfType(type) !== "Company" || id === undefined) continue;
    const company: CompanyModel = { id, name: text(inputs.name) ?? name, account: emptyAccount() };
    for (const key of ["email", "userName", "userEmail"] as const) {
      const value = text(inputs[key]);
      if (value !== undefined) company[key] = value;
    }
    companies.set(id, company);
  }
  const accountOf = (company: string | undefined): AccountModel => {
    if (company === undefined) return root;
    const known = companies.get(company);
    if (known) return known.account!;
    // A sub account that another stack owns: known by its id only.
    const stranger: CompanyModel = {
      id: company,
      name: `with the id ${company}`,
      isStub: true,
      account: emptyAccount(),
    };
    companies.set(company, stranger);
    return stranger.account!;
  };
  for (const resource of resources) {
    const { type, name, id, inputs, outputs } = resource;
    const account = accountOf(text(inputs.account));
    switch (kindOfType(type)) {
      case "Branding": {
        const logo = inputs.logoUrl === undefined ? undefined : text(outputs.logo);
        account.branding = present({ logoUrl: text(inputs.logoUrl), logo, colour: text(inputs.colour) });
        break;
      }
      case "BrandingEmail":
        account.emails[text(inputs.type) ?? name] = present({
          subject: text(inputs.subject),
          content: text(inputs.content),
          contentPlain: text(inputs.contentPlain),
        });
        break;
      case "Webhook": {
        const own = id?.slice(id.lastIndexOf("/") + 1);
        account.webhooks.push({
          ...(own !== undefined && { id: own }),
          name: ownName(resource),
          type: text(inputs.type) ?? "",
          url: text(inputs.url) ?? "",
        });
        break;
      }
    }
  }
  return companies.size > 0 ? { ...root, companies: [...companies.values()] } : root;
}

/** A component puts its own name before those of its resources; the folder has them without. */
function ownName({ name, parent }: StateResource): string {
  const prefix = `${parent?.slice(parent.lastIndexOf("::") + 2)}-`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** A stack as a side. */
export function stackSource(resources: readonly StateResource[], label: string, environment: string): ConfigSource {
  return { model: stateModel(resources), label, isAuthoritative: false, environment };
}

const text = (value: unknown) => (typeof value === "string" ? value : undefined);

function present<K extends string>(values: Record<K, string | undefined>): { [k in K]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [k in K]?: string };
}
