/** What a resource tells the hooks in a dry run, where they show what an update will do to the account. */
import * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../core/pulumi-values";
import type { PreviewArgument } from "../core/resource-definition";
import { providerOf } from "./reject-duplicates";

/** The declared resources by run of a program and by provider: each provider is a process of its own. */
const runs = new WeakMap<object, Map<unknown, Set<string>>>();

/** The hidden argument of a resource; resolved when the program has declared what it declares at once. */
export async function describePreview(
  type: string,
  name: string,
  args: Properties,
  opts: pulumi.CustomResourceOptions,
): Promise<PreviewArgument> {
  const declared = declaredWith(providerOf(type, opts));
  declared.add(`${type} ${name}`);
  const secrets = secretNames(args);
  await new Promise((resolve) => setImmediate(resolve));
  return { name, secrets: await secrets, declared: declared.size };
}

/** The same of which arguments are secret, for the real run; undefined if all are plain values. */
export function describeSecrets(args: Properties): Promise<string[]> | undefined {
  return Object.values(args).some(isOutput) ? secretNames(args) : undefined;
}

async function secretNames(args: Properties): Promise<string[]> {
  const entries = Object.entries(args).map(async ([field, value]) => ((await isSecret(value)) ? [field] : []));
  return (await Promise.all(entries)).flat();
}

function declaredWith(provider: unknown): Set<string> {
  const run = pulumi.runtime.getStackResource() ?? runs;
  const providers = runs.get(run) ?? new Map<unknown, Set<string>>();
  runs.set(run, providers);
  const declared = providers.get(provider) ?? new Set<string>();
  providers.set(provider, declared);
  return declared;
}

const isOutput = (value: unknown) => value !== null && typeof value === "object" && !pulumi.Resource.isInstance(value);

const isSecret = async (value: unknown) => (isOutput(value) ? pulumi.isSecret(pulumi.output(value)) : false);
