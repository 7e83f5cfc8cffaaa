/** The two forms in which every function comes, and how they query the account. */
import * as pulumi from "@pulumi/pulumi";
import type { Client } from "../../sdk/client";
import { type Properties, unwrapAll, withoutUndefined } from "../core/pulumi-values";
import { accountId } from "../pulumi/account-id";
import { settingsOfProvider } from "../pulumi/explicit-provider";
import { programError, runError } from "../pulumi/program-error";
import type { Session } from "../session/session";
import { settingNames } from "../session/settings";
import type { AccountArgs, InvokeOptions, OutputArgs } from "./types";

type Query<A extends AccountArgs, R> = (client: Client, args: A) => Promise<R>;
type Settings = Record<string, string>;
/** Arguments may be omitted where all of them are optional. */
type Parameters<A, O> = Partial<A> extends A ? [args?: A, opts?: O] : [args: A, opts?: O];

/** The form with plain values. */
export function invoke<R, A extends AccountArgs = AccountArgs>(name: string, query: Query<A, R>) {
  return async (...[args = {} as A, opts = {}]: Parameters<A, InvokeOptions>): Promise<R> => {
    if (pulumi.CustomResource.isInstance(args?.account)) {
      throw programError("ESIGN1060", name, `account must be the id of a company; ${name}Output accepts a Company`);
    }
    const settings = opts.provider === undefined ? undefined : await knownSettings(name, opts.provider);
    return run(name, query, args, settings);
  };
}

/** The form for outputs. */
export function invokeOutput<R, A extends AccountArgs = AccountArgs>(name: string, query: Query<A, R>) {
  return (...[outputArgs, opts = {}]: Parameters<OutputArgs<A>, InvokeOptions>): pulumi.Output<R> => {
    const args = { ...outputArgs } as Record<string, unknown>;
    if (args.account !== undefined) args.account = accountId(name, args.account);
    const settings = opts.provider === undefined ? undefined : settingsOf(name, opts.provider);
    // The key is used, not shown: it does not make the result secret.
    const inputs = pulumi.output([args, settings && pulumi.unsecret(settings)]);
    return inputs.apply((known) => {
      const [knownArgs, knownSettings] = known as unknown as [A, Settings | undefined];
      return run(name, query, knownArgs, knownSettings);
    }) as pulumi.Output<R>;
  };
}

/** One connection for each set of settings: limits and keys of subaccounts are shared. */
const sessions = new Map<string, Promise<Session>>();

async function run<A extends AccountArgs, R>(
  name: string,
  query: Query<A, R>,
  args: A,
  providerSettings: Settings | undefined,
): Promise<R> {
  // Programs of several stacks may run in one process, at the same time.
  const settings = providerSettings ?? settingsOfStack();
  const key = JSON.stringify(settings);
  let loading = sessions.get(key);
  if (loading === undefined) {
    // The HTTP library is loaded only by programs that query something.
    loading = import("../session/session.js").then((module) => new module.Session());
    sessions.set(key, loading);
  }
  const session = await loading;
  session.configure({ get: (setting) => settings[setting.replace(/^esign:/, "")] });
  const known = unwrapAll(args as Properties);
  const { issuesOfCall } = await import("./validate.js");
  const issues = issuesOfCall(name, known, session.allowUnknownValues);
  if (issues.length > 0) throw programError("ESIGN1060", name, issues.join("; "));
  try {
    const account = known.account === undefined ? undefined : String(known.account);
    return await query(session.account(account).client, known as A);
  } catch (error) {
    throw runError(session.redact(error instanceof Error ? error.message : String(error)));
  }
}

function settingsOfStack(): Settings {
  const all = settingNames.map((name) => [name, pulumi.runtime.getConfig(`esign:${name}`)]);
  return withoutUndefined(Object.fromEntries(all));
}

function settingsOf(name: string, provider: pulumi.ProviderResource): pulumi.Output<Settings> {
  const settings = settingsOfProvider(provider);
  if (settings === undefined) throw programError("ESIGN1060", name, "provider must be an esign.Provider");
  return settings;
}

/** The settings of a provider as plain values. */
function knownSettings(name: string, provider: pulumi.ProviderResource): Promise<Settings> {
  const settings = settingsOf(name, provider);
  return new Promise((resolve, reject) => {
    settings.apply(resolve);
    // In a preview the callback is not called for a value that is not known yet.
    (settings as unknown as { isKnown: Promise<boolean> }).isKnown.then((isKnown) => {
      if (isKnown) return;
      reject(programError("ESIGN1060", name, `the provider's settings are not known yet: use ${name}Output`));
    }, reject);
  });
}
