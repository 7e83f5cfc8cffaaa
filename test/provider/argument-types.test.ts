/**
 * The types of arguments and outputs are inferred from the definitions. The compiler holds those of a class to be those of its resource's
 * schemas.
 */
import type * as pulumi from "@pulumi/pulumi";
import { expect, expectTypeOf, test } from "vitest";
import type { ProviderArgs } from "../../provider/pulumi/explicit-provider";
import * as resources from "../../provider/pulumi/resources";
import { allDefinitions } from "../../provider/resources/index";
import type { ConfigName } from "../../provider/session/provider-config";

test("each resource has a class", () => {
  expect(Object.keys(resources).sort()).toEqual(allDefinitions.map(({ kind }) => kind).sort());
  expectTypeOf<keyof ProviderArgs>().toEqualTypeOf<ConfigName>();
  expectTypeOf<{ apiKey: "k" }>().toExtend<ProviderArgs>();
  expectTypeOf<{ baseUrl: "u" }>().not.toExtend<ProviderArgs>();
  expectTypeOf<ProviderArgs["expectAccount"]>().toEqualTypeOf<pulumi.Input<string | string[]> | undefined>();
  expectTypeOf<ProviderArgs["timeout"]>().toEqualTypeOf<pulumi.Input<number> | undefined>();
  expectTypeOf<{ apiKey: "k"; edition: "new" }>().not.toExtend<ProviderArgs>();
});

test("an absent argument is optional, and an output is a text", () => {
  expectTypeOf<resources.WebhookArgs["url"]>().toEqualTypeOf<pulumi.Input<string>>();
  expectTypeOf<{ name: "a"; email: "b" }>().toExtend<resources.ContactArgs>();
  expectTypeOf<{ name: "a" }>().not.toExtend<resources.ContactArgs>();
  expectTypeOf<{ name: "a"; email: 1 }>().not.toExtend<resources.ContactArgs>();
  expectTypeOf<resources.Company["apiKey"]>().toEqualTypeOf<pulumi.Output<string>>();
  expectTypeOf<resources.Webhook["suspendedAt"]>().toEqualTypeOf<pulumi.Output<string | undefined>>();
  expectTypeOf<resources.Settings["emailPdfAttach"]>().toEqualTypeOf<pulumi.Output<boolean | undefined>>();
});
