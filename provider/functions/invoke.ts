/** The two forms in which every function comes, and how its answer is got. */
import * as pulumi from "@pulumi/pulumi";
import type { Client } from "../../sdk/client";
import { type Properties, unwrapAll } from "../core/pulumi-values";
import { settingsOfProvider } from "../pulumi/provider";
import { accountId } from "../pulumi/resource-class";
import type { Session } from "../session/session";
import { settingNames } from "../session/settings";
import type { AccountArgs, InvokeOptions, OutputArgs } from "./types";

type Query<A extends AccountArgs, R> = (client: Client, args: A) => Promise<R>;
type Given<A, O> = Partial<A> extends A ? [args?: A, opts?: O] : [args: A, opts?: O];

/** The form that takes and gives plain values. */
export function invoke<R, A extends AccountArgs = AccountArgs>(name: string, query: Query<A, R>) {
  return async (...[args = {} as A, opts = {}]: Given<A, InvokeOptions>): Promise<R> => {
    if (pulumi.CustomResource.isInstance(args?.account))
      throw new pulumi.RunError(`${name}: account must be the id of a company; ${name}Output takes a Company`);
    const settings = opts.provider === undefined ? undefined : await knownSettings(opts.provider);
    return run(name, query, args, settings);
  };
}

/** The form for outputs. */
export function invokeOutput<R, A extends AccountArgs = AccountArgs>(name: string, query: Query<A, R>) {
  return (...[given, opts = {}]: Given<OutputArgs<A>, InvokeOptions>): pulumi.Output<R> => {
    const args = { ...given } as Record<string, unknown>;
    if (args.account !== undefined) args.account = accountId(name, args.account);
    const settings = opts.provider === undefined ? undefined : settingsOf(opts.provider);
    // The key is used, not shown: it does not make a secret of what it opens.
    const inputs = pulumi.output([args, settings && pulumi.unsecret(settings)]);
    return inputs.apply((known) => {
      const [knownArgs, knownSettings] = known as unknown as [A, Record<string, string> | undefined];
      return run(name, query, knownArgs, knownSettings);
    }) as pulumi.Output<R>;
  };
}

/** One connection for each set of settings: limits and keys of sub accounts are shared. */
const sessions = new Map<string, Promise<Session>>();

async function run<A extends AccountArgs, R>(
  name: string,
  query: Query<A, R>,
  args: A,
  settings: Record<string, string> | undefined,
): Promise<R> {
  // Programs of several stacks may run in one process, at the same time.
  const known = settings ?? settingsOfStack();
  const key = JSON.stringify(known);
  let session = sessions.get(key);
  if (session === undefined) {
    // The HTTP library is loaded by programs that ask something, not by all.
    session = import("../session/session.js").then((module) => new module.Session());
    sessions.set(key, session);
  }
  const connected = await session;
  connected.configure({ get: (name) => known[name.replace(/^esign:/, "")] });
  const given = unwrapAll(args as Properties);
  const { issuesOfCall } = await import("./validate.js");
  const faults = issuesOfCall(name, given, connected.allowUnknownValues);
  if (faults.length > 0) throw new pulumi.RunError(`${name}: ${faults.join("; ")}`);
  try {
    const account = given.account === undefined ? undefined : String(given.account);
    return await query(connected.account(account).client, given as A);
  } catch (error) {
    throw new pulumi.RunError(connected.redact(error instanceof Error ? error.message : String(error)));
  }
}

function settingsOfStack(): Record<string, string> {
  const given = settingNames.map((name) => [name, pulumi.runtime.getConfig(`esign:${name}`)]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function settingsOf(provider: pulumi.ProviderResource): pulumi.Output<Record<string, string>> {
  const settings = settingsOfProvider(provider);
  if (settings === undefined) throw new pulumi.RunError("provider must be an esign.Provider");
  return settings;
}

/** The settings of a provider as plain values. */
function knownSettings(provider: pulumi.ProviderResource): Promise<Record<string, string>> {
  const settings = settingsOf(provider);
  return new Promise((resolve, reject) => {
    settings.apply(resolve);
    // In a preview the callback is not called for a value that is not known yet.
    (settings as unknown as { isKnown: Promise<boolean> }).isKnown.then((isKnown) => {
      if (!isKnown)
        reject(new pulumi.RunError("the provider's settings are not known yet: use the form that ends in Output"));
    }, reject);
  });
}
