/**
 * The types of arguments and outputs are written out for programs: the compiler holds them to be those of the schemas. A resource
 * that differs, or has no class, does not compile here.
 */
import type * as pulumi from "@pulumi/pulumi";
import { expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { ProviderArgs } from "../../provider/pulumi/explicit-provider";
import type { Inputs, Outputs } from "../../provider/pulumi/resource-types";
import * as resources from "../../provider/pulumi/resources";
import { definitions } from "../../provider/resources/index";
import type { SettingName } from "../../provider/session/settings";

type Name = keyof typeof definitions;
type Class<K extends Name> = (typeof resources)[Capitalize<K>];
type Values<K extends Name> = z.input<(typeof definitions)[K]["args"]>;
type Others<K extends Name> = NoIndex<z.input<(typeof definitions)[K]["outputs"]>>;
/** The type of an empty schema accepts any name. */
type NoIndex<T> = string extends keyof T ? Record<never, never> : T;

/** The same type, written out. */
type Flat<T> = { [P in keyof T]: T[P] };
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type OtherArguments = {
  [K in Name]: IsSame<Flat<Inputs<Values<K>>>, Flat<ConstructorParameters<Class<K>>[1]>> extends true ? never : K;
}[Name];
type OtherOutputs = {
  [K in Name]: IsSame<
    Flat<Outputs<Values<K>> & Outputs<Others<K>>>,
    Flat<Omit<InstanceType<Class<K>>, keyof pulumi.CustomResource>>
  > extends true
    ? never
    : K;
}[Name];

test("each resource has a class, whose arguments and outputs are those of its schemas", () => {
  expectTypeOf<OtherArguments>().toBeNever();
  expectTypeOf<OtherOutputs>().toBeNever();
  const kinds = Object.values(definitions).map(({ kind }) => kind);
  expect(Object.keys(resources).sort()).toEqual(kinds.sort());
  expectTypeOf<keyof ProviderArgs>().toEqualTypeOf<SettingName>();
});
