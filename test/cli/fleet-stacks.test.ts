/** The stacks of `esign fleet`: which customer is in which one, and which of them an operation is for. */
import { describe, expect, it } from "vitest";
import {
  type CustomerStack,
  configurationHash,
  orphansOf,
  partOf,
  secretNames,
  toCustomerStacks,
  withOrphans,
  withSecretsOf,
} from "../../cli/fleet/customer-stacks";
import { toCustomer } from "../../cli/fleet/customers";
import { rejectReassignments } from "../../cli/fleet/reject-reassignments";
import { describeSelection, removedText, selectStacks } from "../../cli/fleet/select-stacks";
import type { FleetVerb } from "../../cli/fleet/stack/stack-operation";
import { fc } from "../chance";

const options = { prefix: "customer-", project: "shop", secrets: new Set(["token"]) };
const customer = (record: object) => toCustomer(record, "here");

describe("stacks", () => {
  it("are one for each customer, whose columns are its configuration", () => {
    const customerStacks = toCustomerStacks(
      [customer({ id: "a", "esign:edition": "current", token: "t", n: 1, values: { x: "y" } }), customer({ id: "b" })],
      options,
    );
    expect(customerStacks).toEqual([
      {
        stack: "customer-a",
        ids: ["a"],
        suspended: false,
        unset: [],
        config: {
          "shop:id": { value: "a", secret: false },
          "esign:edition": { value: "current", secret: false },
          "shop:token": { value: "t", secret: true },
          "shop:n": { value: "1", secret: false },
          "shop:values": { value: '{"x":"y"}', secret: false },
        },
      },
      expect.objectContaining({ stack: "customer-b", unset: ["esign:edition", "shop:token", "shop:n", "shop:values"] }),
    ]);
  });

  it("lose a value whose cell is empty, also if no customer has one any more", () => {
    const records = [
      customer({ id: "a", stack: "", crm: "", "values.colour": "", suspended: "true" }),
      customer({ id: "b" }),
    ];
    const unset = ["shop:crm", "shop:values"];
    expect(toCustomerStacks(records, options)).toMatchObject([{ unset }, { unset }]);
    expect(toCustomerStacks([customer({ id: "a", stack: "eu", crm: "" })], options)).toMatchObject([{ unset: [] }]);
  });

  it("keep encrypted what is so, if the option is forgotten", () => {
    const wanted = { "shop:token": { value: "t", secret: false }, "shop:name": { value: "A", secret: false } };
    const kept = withSecretsOf(wanted, { "shop:token": { secure: "v1:x" }, "shop:name": "B", "shop:other": "C" });
    expect(kept).toEqual({ ...wanted, "shop:token": { value: "t", secret: true } });
  });

  it("have secrets in the columns that exist, and in all of an object with one", () => {
    const customers = [customer({ id: "a", "values.token": "t", crm: "" })];
    expect([...secretNames(customers, ["values.token", "crm"])]).toEqual(["esign:apiKey", "values", "crm"]);
    const [customerStack] = toCustomerStacks(customers, {
      ...options,
      secrets: secretNames(customers, ["values.token"]),
    });
    expect(customerStack!.config["shop:values"]).toEqual({ value: '{"token":"t"}', secret: true });
    expect(() => secretNames(customers, ["tokn"])).toThrow(
      "no customer has a column tokn (columns: id, values.token, crm)",
    );
  });

  it("are shared by customers who name the same one", () => {
    const records = ["a", "b"].map((id) => customer({ id, stack: "eu", token: id }));
    const value = '[{"id":"a","token":"a"},{"id":"b","token":"b"}]';
    expect(toCustomerStacks(records, options)).toMatchObject([
      { stack: "customer-eu", ids: ["a", "b"], config: { "shop:customers": { value, secret: true } } },
    ]);
    expect(() => toCustomerStacks([...records, customer({ id: "eu" })], options)).toThrow(
      "the stack of one customer and a shared one",
    );
    const [shared] = toCustomerStacks([customer({ id: "a", stack: "eu", suspended: true })], options) as [
      CustomerStack,
    ];
    expect(shared).toMatchObject({
      suspended: false,
      config: { "shop:customers": { value: '[{"id":"a","suspended":true}]' } },
    });
  });

  it("are shared by a number of them, in which customers stay when others come and go", () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { minLength: 1 }), fc.integer({ min: 1, max: 50 }), (ids, stacks) => {
        const all = ids.map((id) => customer({ id: `c${id}` }));
        const stackOf = (some: typeof all) =>
          new Map(
            toCustomerStacks(some, { ...options, stacks }).flatMap((customerStack) =>
              customerStack.ids.map((id) => [id, customerStack.stack]),
            ),
          );
        const [before, after] = [stackOf(all), stackOf(all.slice(1).toReversed())];
        expect([...after].every(([id, stack]) => before.get(id) === stack)).toBe(true);
        expect([...before.values()].every((stack) => stack.endsWith(`-of-${stacks}`))).toBe(true);
      }),
    ));

  describe("of a customer are the same ones for good", () => {
    /** Those deployed, with the customers in shared ones. */
    const deployed = (lists: Record<string, string[]>) => ({
      stacks: new Set(Object.keys(lists)),
      customersIn: async (stack: string) => lists[stack]!.map((id) => ({ id })),
    });
    const others = { staging: ["a"], "customer-eu": [], "customer-z": [] };
    const spread = { ...options, stacks: 1 };
    const hashed = toCustomerStacks([customer({ id: "a" })], spread);
    const own = toCustomerStacks([customer({ id: "a" })], options);
    const eu = toCustomerStacks([customer({ id: "a", stack: "eu" })], options);

    it.each([
      [hashed, { "customer-1-of-1": ["a"] }, spread],
      [own, { "customer-a": [] }, options],
      [eu, { "customer-eu": ["a", "b"] }, options],
      // Of a customer who is called so.
      [toCustomerStacks([customer({ id: "3-of-7" })], options), { "customer-3-of-7": [] }, options],
    ])("%#", async (customerStacks, lists, stackOptions) => {
      await expect(
        rejectReassignments(customerStacks, deployed({ ...others, ...lists }), stackOptions),
      ).resolves.toBeUndefined();
    });

    it.each([
      [hashed, { "customer-3-of-7": [] }, { ...options, stacks: 2 }, "Use --stacks 7"],
      [own, { "customer-3-of-7": [] }, options, "Use --stacks 7"],
      [hashed, { "customer-a": [] }, spread, "has its own stack, customer-a,"],
      [hashed, { "customer-us": ["a"] }, spread, "customer a is in customer-us"],
      [own, { "customer-us": ["a"] }, options, "its record belongs to customer-a: both stacks would manage it"],
      [eu, { "customer-us": ["a"] }, options, "esign stack rm customer-us"],
      [eu, { "customer-1-of-1": ["a"] }, spread, "customer a is in customer-1-of-1"],
    ])("others are refused: %#", async (customerStacks, lists, stackOptions, words) => {
      await expect(rejectReassignments(customerStacks, deployed(lists), stackOptions)).rejects.toThrow(words);
    });
  });

  it("keep those customers who have no record any more", () => {
    const records = ["a", "b", "c"].map((id) => customer({ id, stack: "eu", token: id }));
    const [before] = toCustomerStacks(records, options) as [CustomerStack];
    const [now] = toCustomerStacks([customer({ id: "b", stack: "eu", token: "new" })], options) as [CustomerStack];
    const gone = orphansOf(now, JSON.parse(before.config["shop:customers"]!.value));
    expect(gone.map(({ id }) => id)).toEqual(["a", "c"]);
    const value = '[{"id":"b","token":"new"},{"id":"a","token":"a"},{"id":"c","token":"c"}]';
    expect(withOrphans(now, gone).config).toEqual({ "shop:customers": { value, secret: true } });
    expect(orphansOf(now, [])).toEqual([]);
  });

  it("belong to one machine each, and stay there when others come", () =>
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 50 }), (stack, of) => {
        const index = partOf(stack, of);
        expect(index >= 1 && index <= of && index === partOf(stack, of)).toBe(true);
      }),
    ));

  it("have another hash with other values only", () => {
    const [one] = toCustomerStacks([customer({ id: "a", x: 1, y: 2 })], options) as [CustomerStack];
    const [same] = toCustomerStacks([customer({ y: 2, x: 1, id: "a" })], options) as [CustomerStack];
    const [other] = toCustomerStacks([customer({ id: "a", x: 1, y: 3 })], options) as [CustomerStack];
    expect(configurationHash(same, "salt")).toBe(configurationHash(one, "salt"));
    expect(configurationHash(other, "salt")).not.toBe(configurationHash(one, "salt"));
    expect(configurationHash(one, "other")).not.toBe(configurationHash(one, "salt"));
  });
});

describe("what is selected", () => {
  const records = ["a", "b"].map((id) => customer({ id, stack: "eu" }));
  const customerStacks = toCustomerStacks([...records, customer({ id: "c" })], options);
  const project = {
    stacks: new Set(["dev", "customer-c", "customer-eu", "customer-z"]),
    orphansOf: async ({ stack }: CustomerStack) => (stack === "customer-eu" ? [{ id: "y" }] : []),
  };
  const stacksOf = async (verb: FleetVerb, more: object) => {
    const { wanted, removed } = await selectStacks(customerStacks, verb, project, { prefix: "customer-", ...more });
    return [wanted.map(({ stack, removedIds }) => [stack, ...(removedIds ?? [])].join()), removed];
  };

  it("is what has a record, or only what has none", async () => {
    expect(await stacksOf("up", {})).toEqual([["customer-eu", "customer-c"], ["customer-z"]]);
    expect(await stacksOf("up", { only: ["a"] })).toEqual([["customer-eu"], ["customer-z"]]);
    expect(await stacksOf("destroy", { removed: true })).toEqual([["customer-z", "customer-eu,y"], ["customer-z"]]);
    // The command of the note runs as it stands.
    expect(removedText(["customer-z"], "our list.csv")).toContain("esign fleet destroy 'our list.csv' --removed");
    const both = await selectStacks(customerStacks, "destroy", project, { prefix: "customer-", removed: true });
    expect(describeSelection(both.wanted)).toBe("1 stack: customer-z, and of 1 customer in shared stacks: y");
    const parts = await Promise.all([1, 2, 3].map((index) => stacksOf("up", { shard: { index, of: 3 } })));
    expect(parts.flatMap(([wanted]) => wanted).toSorted()).toEqual(["customer-c", "customer-eu"]);
  });

  it("is never another customer's, to be deleted", async () => {
    await expect(stacksOf("destroy", { only: ["a"] })).rejects.toThrow("customer-eu is also the stack of b: their");
    expect(await stacksOf("destroy", { only: ["a", "b"] })).toEqual([["customer-eu"], ["customer-z"]]);
    await expect(stacksOf("up", { only: ["x"] })).rejects.toThrow("there is no customer x");
    await expect(stacksOf("destroy", { only: ["a"], removed: true })).rejects.toThrow("--removed for the others");
  });
});
