/** What a resource tells the hooks besides its arguments: how much is declared, what is secret, and, in a dry run, which company it belongs to. */
import * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../core/pulumi-values";
import type { RegistrationArgument } from "../dynamic/hidden-arguments";
import { isCompany } from "./account-id";
import { providerOf } from "./reject-duplicates";

/** The numbers of declared resources by run of a program and by provider: each provider is a process of its own. */
const runs = new WeakMap<object, Map<unknown, number>>();
/** By resource. */
const numbers = new WeakMap<pulumi.Resource, number>();
let lastNumber = 0;

/** A resource that is being declared. */
export interface DeclaredResource {
  /** Resolved when the program has declared what it declares at once. */
  argument: Promise<RegistrationArgument>;
  /** To be called with the resource, once there is one. */
  assign(resource: pulumi.Resource): void;
}

export function describeRegistration(
  type: string,
  name: string,
  args: Properties,
  opts: pulumi.CustomResourceOptions,
): DeclaredResource {
  const number = ++lastNumber;
  const provider = providerOf(type, opts);
  const declared = declaredResources();
  declared.set(provider, (declared.get(provider) ?? 0) + 1);
  const describe = async (): Promise<RegistrationArgument> => {
    const secrets = secretNames(args);
    await new Promise((resolve) => setImmediate(resolve));
    const company = pulumi.runtime.isDryRun() ? await companyNumber(args.account) : undefined;
    return {
      name,
      secrets: await secrets,
      declared: declared.get(provider)!,
      resource: number,
      ...(company !== undefined && { company }),
    };
  };
  return { argument: describe(), assign: (resource) => numbers.set(resource, number) };
}

async function secretNames(args: Properties): Promise<string[]> {
  const entries = Object.entries(args).map(async ([field, value]) => ((await isSecret(value)) ? [field] : []));
  return (await Promise.all(entries)).flat();
}

/** The number of the one company that an account's id comes from. */
async function companyNumber(account: unknown): Promise<number | undefined> {
  if (!isOutput(account)) return pulumi.Resource.isInstance(account) ? numbers.get(account) : undefined;
  const companies = [...(await resourcesOf(pulumi.output(account)))].filter(isCompany);
  return companies.length === 1 ? numbers.get(companies[0]!) : undefined;
}

/** The resources that an output depends on, as the SDK tells them to the engine. */
async function resourcesOf(output: unknown): Promise<ReadonlySet<pulumi.Resource>> {
  const { allResources, resources } = output as Record<
    string,
    (() => Promise<ReadonlySet<pulumi.Resource>>) | undefined
  >;
  return (await (allResources ?? resources)?.()) ?? new Set();
}

function declaredResources(): Map<unknown, number> {
  const run = pulumi.runtime.getStackResource() ?? runs;
  const declared = runs.get(run) ?? new Map<unknown, number>();
  runs.set(run, declared);
  return declared;
}

const isOutput = (value: unknown) => value !== null && typeof value === "object" && !pulumi.Resource.isInstance(value);

const isSecret = async (value: unknown) => (isOutput(value) ? pulumi.isSecret(pulumi.output(value)) : false);
