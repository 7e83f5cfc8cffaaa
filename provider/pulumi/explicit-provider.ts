/** Explicit providers: one for each account that is neither the stack's own nor a subaccount of it. */
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { settingNames, type settingsSchema } from "../session/settings";
import { programError } from "./program-error";

type Shape = (typeof settingsSchema)["shape"];

/** Settings of an account: the key, the URL, and how to call it. Omitted ones come from the environment. */
export type ProviderArgs = {
  // Of the shape, whose comments editors show.
  [K in keyof Shape as K extends "apiKey" ? never : K]?: pulumi.Input<
    NonNullable<K extends "expectAccount" ? string | string[] : z.input<Shape[K]>>
  >;
} & {
  /** The account's key. Kept as a secret. */
  apiKey: pulumi.Input<string>;
};

/** Settings that functions of the program can use, too. */
const settingsByProvider = new WeakMap<pulumi.ProviderResource, pulumi.Output<Record<string, string>>>();

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
    if (args === undefined || args === null) fail("arguments are missing");
    const unknown = Object.keys(args).filter((key) => !(settingNames as string[]).includes(key));
    if (unknown.length > 0) fail(`unknown setting: ${unknown.join(", ")} (settings: ${settingNames.join(", ")})`);
    // What is to protect the account must not be switched off by a value that is missing.
    const { expectAccount } = args;
    if (expectAccount === "" || (Array.isArray(expectAccount) && expectAccount.length === 0)) {
      fail("expectAccount is empty");
    }
    // The environment's key would be used instead, which is another account's.
    if (isEmpty(args.apiKey)) fail("apiKey is missing");
    const present = Object.entries(args).filter(([, value]) => !isEmpty(value));
    const inputs: pulumi.Inputs = Object.fromEntries(
      present.map(([key, value]) => {
        const text = pulumi
          .output(value as pulumi.Input<string | number>)
          .apply((known) => (isEmpty(known) ? fail(`${key} is an output without a value`) : String(known)));
        return [`esign:${key}`, key === "apiKey" ? pulumi.secret(text) : text];
      }),
    );
    super("pulumi-nodejs", name, inputs, opts);
    const settings = Object.fromEntries(present.map(([key]) => [key, inputs[`esign:${key}`]]));
    settingsByProvider.set(this, pulumi.output(settings) as pulumi.Output<Record<string, string>>);
  }
}

/** The settings of an explicit provider. */
export function settingsOfProvider(
  provider: pulumi.ProviderResource,
): pulumi.Output<Record<string, string>> | undefined {
  return settingsByProvider.get(provider);
}
