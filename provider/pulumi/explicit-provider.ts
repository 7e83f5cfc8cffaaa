/** Explicit providers: one for each account that is neither the stack's own nor a subaccount of it. */
import * as pulumi from "@pulumi/pulumi";
import { EffectReporter } from "../reporting/effect-reporter";
import { reportUnevaluated } from "../reporting/report-unevaluated";
import { configNames } from "../session/provider-config";
import { notASetting } from "../session/unknown-settings";
import { programError, rejectMissing } from "./program-error";

/** Settings of an account: the key, the URL, and how to call it. Omitted ones come from the stack, then from the environment. The docs and the schema take their sentences from here. */
export interface ProviderArgs {
  /** The account's key. Secret. Only that of the stack's own account may come from the environment. Environment: `ESIGN_API_KEY`. */
  apiKey: pulumi.Input<string>;
  /** URL of the service, without `/v1`: HTTPS, except for localhost. Environment: `ESIGN_BASE_URL`. */
  baseUrl?: pulumi.Input<string>;
  /** Most requests in progress at once, per host and process. Default: 8. Environment: `ESIGN_MAX_CONCURRENCY`. */
  maxConcurrency?: pulumi.Input<number>;
  /** Most requests started per second. Default: no limit. Environment: `ESIGN_REQUESTS_PER_SECOND`. */
  requestsPerSecond?: pulumi.Input<number>;
  /** Milliseconds for one call, attempts and waits included. Default: 30000. Environment: `ESIGN_TIMEOUT`. */
  timeout?: pulumi.Input<number>;
  /** Records requested per page of a list, at most 50. Default: 50. Environment: `ESIGN_PAGE_SIZE`. */
  pageSize?: pulumi.Input<number>;
  /** Most retries of a call that is safe to retry. Default: 5. Environment: `ESIGN_RETRIES`. */
  retries?: pulumi.Input<number>;
  /** Fingerprints of the keys that may write, separated by commas. Default: any. Environment: `ESIGN_EXPECT_ACCOUNT`. */
  expectAccount?: pulumi.Input<string | string[]>;
  /** The service's interface: `specification`, or today's (`current`), whose bodies are JSON. Default: specification. Environment: `ESIGN_EDITION`. */
  edition?: pulumi.Input<"specification" | "current">;
  /** Accepts any enum value that this version does not know. Without it, a type of webhooks or emails that looks new is accepted with a warning. Default: false. Environment: `ESIGN_ALLOW_UNKNOWN_VALUES`. */
  allowUnknownValues?: pulumi.Input<boolean>;
  /** What an update does when a field was changed in the account after the state was last refreshed: `fail`, or `overwrite` it. Default: fail. Environment: `ESIGN_ON_CONFLICT`. */
  onConflict?: pulumi.Input<"fail" | "overwrite">;
  /** What deleting a company does when its usage or open envelopes cannot be read: `fail`, or `delete` it anyway. Default: fail. Environment: `ESIGN_ON_UNREADABLE`. */
  onUnreadable?: pulumi.Input<"fail" | "delete">;
  /** Compares pictures by their bytes: the one behind each `logoUrl` with the one that was sent, and the account's copy with that after the last write. One request each in a run, of at most 5 seconds and 2 MB. Default: true. Environment: `ESIGN_COMPARE_PICTURES`. */
  comparePictures?: pulumi.Input<boolean>;
}

/** Settings that functions of the program can use, too. */
const configByProvider = new WeakMap<pulumi.ProviderResource, pulumi.Output<Record<string, string>>>();

const isEmpty = (value: unknown) => value === undefined || value === null || value === "";
const withoutEmpty = (settings: object) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => !isEmpty(value)));

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
    const present = Object.entries({ ...withoutEmpty(ofStack()), ...withoutEmpty(args) });
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
