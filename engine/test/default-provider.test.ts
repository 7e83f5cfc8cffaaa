/** Which provider the engine made is known by the state: a program may call its own as it likes. */
import { expect, test } from "vitest";
import { replay } from "../backend/rollback/replay";
import type { ResourceRegistrar } from "../deploy/resource-registrar";
import type { Goal } from "../resource/goal";
import type { ResourceState } from "../resource/resource-state";
import { resourceView } from "../resource/resource-view";
import { isDefaultProvider, STACK_TYPE } from "../resource/urn";

const stack = `urn:pulumi:dev::shop::${STACK_TYPE}::shop-dev`;
const type = "pulumi:providers:storage";
const urnOf = (name: string) => `urn:pulumi:dev::shop::${type}::${name}`;
const names = ["default", "default-eu", "default_1_2_3", "defaults", "eu"];

test.each(names)("a provider %s that a program declares was not made by the engine", (name) => {
  expect(isDefaultProvider({ urn: urnOf(name), parent: stack })).toBe(false);
  expect(resourceView({ urn: urnOf(name), type, id: "1", parent: stack }, false).isDefaultProvider).toBeUndefined();
  expect(resourceView({ urn: urnOf(name), type, id: "1" }, false).isDefaultProvider).toBe(true);
  expect(resourceView({ urn: urnOf(name), type, id: "1", parent: "" }, false).isDefaultProvider).toBe(true);
});

test("the stack itself has no parent and is no provider", () => {
  expect(isDefaultProvider({ urn: stack })).toBe(false);
});

test.each(names)("a rollback declares a provider %s of the program again, and what uses it with it", async (name) => {
  const earlier: ResourceState[] = [
    { urn: stack, type: STACK_TYPE, custom: false },
    { urn: urnOf(name), type, custom: true, id: "1", parent: stack, inputs: { key: "k" } },
    { urn: "urn:pulumi:dev::shop::storage:Bucket::b", type: "storage:Bucket", custom: true, id: "2", parent: stack },
  ];
  earlier[2]!.provider = `${urnOf(name)}::1`;
  const goals: Goal[] = [];
  const registrar = {
    register: async (goal: Goal) => {
      goals.push(goal);
      return { urn: urnOf(goal.name), id: "new", outputs: {}, outcome: "done" };
    },
    registerOutputs: async () => undefined,
    defaultProvider: async () => "of the engine",
  } as unknown as ResourceRegistrar;
  expect(await replay({ registrar, earlier, current: [], dryRun: false })).toEqual({ ok: true });
  expect(goals.map(({ name: each, provider }) => [each, provider])).toEqual([
    ["shop-dev", ""],
    [name, ""],
    ["b", `${urnOf(name)}::new`],
  ]);
});
