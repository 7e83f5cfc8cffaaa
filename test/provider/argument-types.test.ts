/** The types of arguments and outputs are written out for programs: the compiler holds them to be those of the schemas. */
import { expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { ProviderArgs } from "../../provider/pulumi/explicit-provider";
import type * as types from "../../provider/pulumi/resource-arguments";
import * as resources from "../../provider/pulumi/resources";
import type { definitions } from "../../provider/resources/index";
import type { SettingName } from "../../provider/session/settings";

type Args<K extends keyof typeof definitions> = z.input<(typeof definitions)[K]["args"]>;
type Outputs<K extends keyof typeof definitions> = z.input<(typeof definitions)[K]["outputs"]>;

test("each resource has types of its own, and these are equal to those of its schemas", () => {
  expectTypeOf<types.BrandingValues>().toEqualTypeOf<Args<"branding">>();
  expectTypeOf<types.BrandingOutputs>().toEqualTypeOf<Outputs<"branding">>();
  expectTypeOf<types.BrandingEmailValues>().toEqualTypeOf<Args<"brandingEmail">>();
  expectTypeOf<types.BrandingEmailOutputs>().toEqualTypeOf<Outputs<"brandingEmail">>();
  expectTypeOf<types.WebhookValues>().toEqualTypeOf<Args<"webhook">>();
  expectTypeOf<types.WebhookOutputs>().toEqualTypeOf<Outputs<"webhook">>();
  expectTypeOf<types.CompanyValues>().toEqualTypeOf<Args<"company">>();
  expectTypeOf<types.CompanyOutputs>().toEqualTypeOf<Outputs<"company">>();
  expectTypeOf<types.ContactValues>().toEqualTypeOf<Args<"contact">>();
  expectTypeOf<types.ContactOutputs>().toEqualTypeOf<Outputs<"contact">>();
  expectTypeOf<types.UserValues>().toEqualTypeOf<Args<"user">>();
  expectTypeOf<types.UserOutputs>().toEqualTypeOf<Outputs<"user">>();
  expectTypeOf<types.SettingsValues>().toEqualTypeOf<Args<"settings">>();
  // One that is missing above would have no line here.
  expect(Object.keys(resources).sort()).toEqual(
    ["Branding", "BrandingEmail", "Webhook", "Company", "Contact", "User", "Settings"].sort(),
  );
  expectTypeOf<keyof ProviderArgs>().toEqualTypeOf<SettingName>();
});
