/** What a resource passes to the provider besides its arguments: how much is declared, what is secret, and, in a dry run, which company it belongs to. */
import * as pulumi from "@pulumi/pulumi";
import { readUrn } from "../../definitions/urn";
import type { RegistrationArgument } from "../core/hidden-argument";
import type { Properties } from "../core/pulumi-values";
import { isCompany } from "./account-id";
import { providerOf } from "./reject-duplicates";

/** The numbers of declared resources by run of a program and by provider: each provider is a process of its own. */
const runs = new WeakMap<object, Map<unknown, number>>();

/** Resolved when the program has declared what it declares at once. */
export function registrationArgument(
  type: string,
  name: string,
  args: Properties,
  opts: pulumi.CustomResourceOptions,
): Promise<RegistrationArgument> {
  const provider = providerOf(type, opts);
  const declared = declaredResources();
  declared.set(provider, (declared.get(provider) ?? 0) + 1);
  // Where there is no engine, this fails, as the resource does.
  const urnBelow = urnOf(name, type);
  const describe = async (): Promise<RegistrationArgument> => {
    const secrets = secretNames(args);
    await new Promise((resolve) => setImmediate(resolve));
    const isPreview = pulumi.runtime.isDryRun();
    const company = isPreview ? await companyOf(args.account) : undefined;
    return {
      urn: urnBelow(opts.parent && (await textOf(opts.parent.urn))),
      secrets: await secrets,
      ...(isPreview && { isPreview }),
      ...(company !== undefined && { company: await textOf(company.urn) }),
      declared: declared.get(provider)!,
    };
  };
  return describe();
}

async function secretNames(args: Properties): Promise<string[]> {
  const entries = Object.entries(args).map(async ([field, value]) => ((await isSecret(value)) ? [field] : []));
  return (await Promise.all(entries)).flat();
}

/** The one company that an account's id comes from. */
async function companyOf(account: unknown): Promise<pulumi.Resource | undefined> {
  if (!isOutput(account)) return pulumi.Resource.isInstance(account) ? account : undefined;
  const companies = [...(await resourcesOf(pulumi.output(account)))].filter(isCompany);
  return companies.length === 1 ? companies[0] : undefined;
}

/** The URN by that of the parent, as engines make it. (The SDK's `createUrn` takes a name with "::" in it for a part of the type.) */
function urnOf(name: string, type: string): (parent: string | undefined) => string {
  const stack = `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}`;
  return (parent) => {
    const above = readUrn(parent ?? "")?.qualifiedType.replace(/^pulumi:pulumi:Stack\$?/, "") ?? "";
    return `${stack}::${above === "" ? "" : `${above}$`}${type}::${name}`;
  };
}

/** A URN, which is never unknown. Outside its output it is no dependency. */
const textOf = (urn: pulumi.Output<string>) => new Promise<string>((resolve) => urn.apply(resolve));

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
