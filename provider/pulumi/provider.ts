/** Explicit providers: one for each account that is not the stack's own and no sub account of it. */
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { settingNames, type settingsSchema } from "../session/settings";

/** Settings of an account: the key, the address, and how to call it. What is left out comes from the environment. */
export type ProviderArgs = {
  [K in keyof z.input<typeof settingsSchema> as K extends "apiKey" ? never : K]?: pulumi.Input<
    NonNullable<K extends "expectAccount" ? string | string[] : z.input<typeof settingsSchema>[K]>
  >;
} & {
  /** The account's key (§5). Kept as a secret. */
  apiKey: pulumi.Input<string>;
};

/** Settings that functions of the program can use, too. */
const settingsOf = new WeakMap<pulumi.ProviderResource, pulumi.Output<Record<string, string>>>();

const isEmpty = (value: unknown) => value === undefined || value === null || value === "";

/**
 * An account of its own: give it to resources and functions as `provider`. Each is a process of about 130 MB; for the sub
 * accounts of a partner use `account` instead.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs, opts?: pulumi.ResourceOptions) {
    const fail = (message: string): never => {
      throw new pulumi.RunError(`Provider "${name}": ${message}`);
    };
    if (args === undefined || args === null) fail("arguments are missing");
    const unknown = Object.keys(args).filter((key) => !(settingNames as string[]).includes(key));
    if (unknown.length > 0) fail(`${unknown.join(", ")} is no setting (settings: ${settingNames.join(", ")})`);
    const given = Object.entries(args).filter(([, value]) => !isEmpty(value));
    // The environment's key would be taken instead, which is another account's.
    if (isEmpty(args.apiKey)) fail("apiKey is missing");
    const inputs: pulumi.Inputs = Object.fromEntries(
      given.map(([key, value]) => {
        const text = pulumi
          .output(value as pulumi.Input<string | number>)
          .apply((known) => (isEmpty(known) ? fail(`${key} is an output that turned out to be empty`) : String(known)));
        return [`esign:${key}`, key === "apiKey" ? pulumi.secret(text) : text];
      }),
    );
    super("pulumi-nodejs", name, inputs, opts);
    const named = Object.fromEntries(given.map(([key]) => [key, inputs[`esign:${key}`]]));
    settingsOf.set(this, pulumi.output(named) as pulumi.Output<Record<string, string>>);
  }
}

/** The settings that an explicit provider was made with. */
export function settingsOfProvider(
  provider: pulumi.ProviderResource,
): pulumi.Output<Record<string, string>> | undefined {
  return settingsOf.get(provider);
}
