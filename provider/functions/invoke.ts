/** The two forms in which every function comes, and how they query the account. */
import * as pulumi from "@pulumi/pulumi";
import { type Properties, withoutUndefined } from "../core/pulumi-values";
import { accountId } from "../pulumi/account-id";
import { configOfProvider, isKnown } from "../pulumi/explicit-provider";
import { programError, runError } from "../pulumi/program-error";
import type { AccountArgument } from "../pulumi/resource-types";
import type { Queries, QueryName } from "../queries/function-types";
import { endAfterLastWait } from "../reporting/wait-notices";
import { configNames, rawConfig } from "../session/provider-config";
import type { Session } from "../session/session";
/** Which account is queried. */
export interface InvokeOptions {
  /** An explicit provider. Default: the stack's configuration, then the environment. */
  provider?: pulumi.ProviderResource | undefined;
}

/** Arguments as outputs: `account` may be a Company. */
export type OutputArgs<A> = { [K in keyof A]: K extends "account" ? AccountArgument | undefined : pulumi.Input<A[K]> };

type Config = Record<string, string>;
/** Arguments may be omitted where all of them are optional. */
type Parameters<A, O> = Partial<A> extends A ? [args?: A, opts?: O] : [args: A, opts?: O];

/** The form with plain values. */
export function invoke<N extends QueryName>(name: N) {
  type A = Queries[N]["args"];
  return async (...[args = {} as A, opts = {}]: Parameters<A, InvokeOptions>): Promise<Queries[N]["result"]> => {
    if (pulumi.CustomResource.isInstance(args?.account)) {
      throw programError("ESIGN1060", name, `account must be the id of a company; ${name}Output accepts a Company`);
    }
    const config = opts.provider === undefined ? undefined : await resolvedConfig(name, opts.provider);
    return run(name, args as Properties, config);
  };
}

/** The form for outputs. */
export function invokeOutput<N extends QueryName>(name: N) {
  type R = Queries[N]["result"];
  return (...[outputArgs, opts = {}]: Parameters<OutputArgs<Queries[N]["args"]>, InvokeOptions>): pulumi.Output<R> => {
    const args = { ...outputArgs } as Record<string, unknown>;
    if (args.account !== undefined) args.account = accountId(name, args.account);
    const config = opts.provider === undefined ? undefined : configOf(name, opts.provider);
    // The key is used, not shown: it does not make the result secret.
    const inputs = pulumi.output([args, config && pulumi.unsecret(config)]);
    return inputs.apply((resolved) => {
      const [resolvedArgs, resolvedConfig] = resolved as unknown as [Properties, Config | undefined];
      return run(name, resolvedArgs, resolvedConfig);
    }) as pulumi.Output<R>;
  };
}

/** One connection for each set of settings: limits and keys of subaccounts are shared. */
const sessions = new Map<string, Promise<Session>>();

async function run<N extends QueryName>(
  name: N,
  args: Properties,
  providerConfig: Config | undefined,
): Promise<Queries[N]["result"]> {
  // Programs of several stacks may run in one process, at the same time.
  const config = providerConfig ?? configOfStack();
  const configuration = { get: (key: string) => config[key.replace(/^esign:/, "")] };
  const key = JSON.stringify(rawConfig(configuration));
  let loading = sessions.get(key);
  if (loading === undefined) {
    // The HTTP library is loaded only by programs that query something.
    const logWait = endAfterLastWait((notice) => void pulumi.log.info(notice, undefined, undefined, true));
    loading = import("../session/session.js").then((module) => new module.Session({ logWait }));
    sessions.set(key, loading);
  }
  const session = await loading;
  session.connection.configure(configuration);
  const { runQuery } = await import("../queries/index.js");
  const answer = await runQuery(session, name, args).catch(({ message }: Error) => {
    throw runError(message);
  });
  if (answer.issues !== undefined) throw programError("ESIGN1060", name, answer.issues.join("; "));
  return answer.result;
}

function configOfStack(): Config {
  const all = configNames.map((name) => [name, pulumi.runtime.getConfig(`esign:${name}`)]);
  return withoutUndefined(Object.fromEntries(all));
}

function configOf(name: string, provider: pulumi.ProviderResource): pulumi.Output<Config> {
  const config = configOfProvider(provider);
  if (config === undefined) throw programError("ESIGN1060", name, "provider must be an esign.Provider");
  return config;
}

/** The settings of a provider as plain values. */
function resolvedConfig(name: string, provider: pulumi.ProviderResource): Promise<Config> {
  const config = configOf(name, provider);
  return new Promise((resolve, reject) => {
    config.apply(resolve);
    // In a preview the callback is not called for a value that is not known yet.
    isKnown(config).then((hasValue) => {
      if (hasValue) return;
      reject(programError("ESIGN1060", name, `the provider's settings are not known yet: use ${name}Output`));
    }, reject);
  });
}
