/** Explicit providers: one for each account that is neither the stack's own nor a subaccount of it. */
import * as pulumi from "@pulumi/pulumi";
import { EffectReporter } from "../reporting/effect-reporter";
import { reportUnevaluated } from "../reporting/report-unevaluated";
import { notASetting } from "../session/misspelt-settings";
import { configNames, type ProviderConfig, type providerSettings } from "../session/provider-config";
import { programError, rejectMissing } from "./program-error";

/** As programs write them: an output may be given for each, and `expectAccount` is a list, too. */
type SettingInputs = {
  [Name in keyof typeof providerSettings]: pulumi.Input<
    NonNullable<ProviderConfig[Name]> extends string[] ? string | string[] : NonNullable<ProviderConfig[Name]>
  >;
};

/** Settings of an account: the key, the URL, and how to call it. Omitted ones come from the environment. */
export interface ProviderArgs extends Pick<SettingInputs, "apiKey">, Partial<Omit<SettingInputs, "apiKey">> {}

/** Settings that functions of the program can use, too. */
const configByProvider = new WeakMap<pulumi.ProviderResource, pulumi.Output<Record<string, string>>>();

const isEmpty = (value: unknown) => value === undefined || value === null || value === "";

/**
 * Another account: pass it to resources and functions as `provider`. Each is a process of about 130 MB; for the
 * subaccounts of a partner use `account` instead.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs, opts?: pulumi.ResourceOptions) {
    const fail = (problem: string): never => {
      throw programError("ESIGN1060", `Provider "${name}"`, problem);
    };
    rejectMissing("Provider", name, args);
    const unknown = Object.keys(args).filter((key) => !(configNames as string[]).includes(key));
    if (unknown.length > 0) fail(unknown.map((setting) => notASetting(setting)).join("; "));
    // What is to protect the account must not be switched off by a value that is missing.
    const { expectAccount } = args;
    if (expectAccount === "" || (Array.isArray(expectAccount) && expectAccount.length === 0)) {
      fail("expectAccount is empty");
    }
    // The environment's key would be used instead, which is another account's.
    if (isEmpty(args.apiKey)) fail("apiKey is missing");
    const present = Object.entries({ ...ofStack(), ...args }).filter(([, value]) => !isEmpty(value));
    const inputs: pulumi.Inputs = Object.fromEntries(
      present.map(([key, value]) => {
        const text = pulumi
          .output(value as pulumi.Input<string | number>)
          .apply((resolved) => (isEmpty(resolved) ? fail(`${key} is an output without a value`) : String(resolved)));
        return [`esign:${key}`, key === "apiKey" ? pulumi.secret(text) : text];
      }),
    );
    super("pulumi-nodejs", name, inputs, opts);
    if (pulumi.runtime.isDryRun()) noticeUnknown(this, inputs);
    const config = Object.fromEntries(present.map(([key]) => [key, inputs[`esign:${key}`]]));
    configByProvider.set(this, pulumi.output(config) as pulumi.Output<Record<string, string>>);
  }
}

/** What the stack has configured, but for what goes with its key. Engines pass an explicit provider nothing of it. */
function ofStack(): Record<string, string | undefined> {
  const config = new pulumi.Config("esign");
  const names = configNames.filter((name) => name !== "apiKey" && name !== "expectAccount");
  return Object.fromEntries(names.map((name) => [name, config.get(name)]));
}

function noticeUnknown(provider: Provider, inputs: pulumi.Inputs): void {
  provider.urn.apply(async (urn) => {
    if (await isKnown(pulumi.output(inputs))) return;
    reportUnevaluated(new EffectReporter(), urn, (notice) => void pulumi.log.info(notice, provider));
  });
}

/** False for an output that a preview has no value of: its callbacks are not called. */
export const isKnown = (output: pulumi.Output<unknown>): Promise<boolean> =>
  (output as unknown as { isKnown: Promise<boolean> }).isKnown;

/** The settings of an explicit provider. */
export function configOfProvider(provider: pulumi.ProviderResource): pulumi.Output<Record<string, string>> | undefined {
  return configByProvider.get(provider);
}
