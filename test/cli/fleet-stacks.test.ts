/** The stacks of `esign fleet`: which customer is in which one, and which of them an operation is for. */
import { describe, expect, it } from "vitest";
import { toCustomer } from "../../cli/fleet/customers";
import {
  type Deployment,
  hashOf,
  orphansOf,
  partOf,
  secretNames,
  toDeployments,
  withOrphans,
  withSecretsOf,
} from "../../cli/fleet/deployments";
import type { FleetVerb } from "../../cli/fleet/fleet-workspace";
import { rejectReassignments } from "../../cli/fleet/reject-reassignments";
import { describe as describeDeployments, select } from "../../cli/fleet/select-stacks";
import { fc } from "../chance";

const options = { prefix: "customer-", project: "shop", secrets: new Set(["token"]) };
const customer = (record: object) => toCustomer(record, "here");

describe("stacks", () => {
  it("are one for each customer, whose columns are its configuration", () => {
    const deployments = toDeployments(
      [customer({ id: "a", "esign:edition": "current", token: "t", n: 1, values: { x: "y" } }), customer({ id: "b" })],
      options,
    );
    expect(deployments).toEqual([
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
    expect(toDeployments(records, options)).toMatchObject([{ unset }, { unset }]);
    expect(toDeployments([customer({ id: "a", stack: "eu", crm: "" })], options)).toMatchObject([{ unset: [] }]);
  });

  it("keep encrypted what is so, if the option is forgotten", () => {
    const wanted = { "shop:token": { value: "t", secret: false }, "shop:name": { value: "A", secret: false } };
    const kept = withSecretsOf(wanted, { "shop:token": { secure: "v1:x" }, "shop:name": "B", "shop:other": "C" });
    expect(kept).toEqual({ ...wanted, "shop:token": { value: "t", secret: true } });
  });

  it("have secrets in the columns that exist, and in all of an object with one", () => {
    const customers = [customer({ id: "a", "values.token": "t", crm: "" })];
    expect([...secretNames(customers, ["values.token", "crm"])]).toEqual(["esign:apiKey", "values", "crm"]);
    const [deployment] = toDeployments(customers, { ...options, secrets: secretNames(customers, ["values.token"]) });
    expect(deployment!.config["shop:values"]).toEqual({ value: '{"token":"t"}', secret: true });
    expect(() => secretNames(customers, ["tokn"])).toThrow(
      "no customer has a column tokn (columns: id, values.token, crm)",
    );
  });

  it("are shared by customers who name the same one", () => {
    const records = ["a", "b"].map((id) => customer({ id, stack: "eu", token: id }));
    const value = '[{"id":"a","token":"a"},{"id":"b","token":"b"}]';
    expect(toDeployments(records, options)).toMatchObject([
      { stack: "customer-eu", ids: ["a", "b"], config: { "shop:customers": { value, secret: true } } },
    ]);
    expect(() => toDeployments([...records, customer({ id: "eu" })], options)).toThrow(
      "the stack of one customer and a shared one",
    );
    const [shared] = toDeployments([customer({ id: "a", stack: "eu", suspended: true })], options) as [Deployment];
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
            toDeployments(some, { ...options, stacks }).flatMap((deployment) =>
              deployment.ids.map((id) => [id, deployment.stack]),
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
    const hashed = toDeployments([customer({ id: "a" })], spread);
    const own = toDeployments([customer({ id: "a" })], options);
    const eu = toDeployments([customer({ id: "a", stack: "eu" })], options);

    it.each([
      [hashed, { "customer-1-of-1": ["a"] }, spread],
      [own, { "customer-a": [] }, options],
      [eu, { "customer-eu": ["a", "b"] }, options],
      // Of a customer who is called so.
      [toDeployments([customer({ id: "3-of-7" })], options), { "customer-3-of-7": [] }, options],
    ])("%#", async (deployments, lists, deploymentOptions) => {
      await expect(
        rejectReassignments(deployments, deployed({ ...others, ...lists }), deploymentOptions),
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
    ])("others are refused: %#", async (deployments, lists, deploymentOptions, words) => {
      await expect(rejectReassignments(deployments, deployed(lists), deploymentOptions)).rejects.toThrow(words);
    });
  });

  it("keep those customers who have no record any more", () => {
    const records = ["a", "b", "c"].map((id) => customer({ id, stack: "eu", token: id }));
    const [before] = toDeployments(records, options) as [Deployment];
    const [now] = toDeployments([customer({ id: "b", stack: "eu", token: "new" })], options) as [Deployment];
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
    const [one] = toDeployments([customer({ id: "a", x: 1, y: 2 })], options) as [Deployment];
    const [same] = toDeployments([customer({ y: 2, x: 1, id: "a" })], options) as [Deployment];
    const [other] = toDeployments([customer({ id: "a", x: 1, y: 3 })], options) as [Deployment];
    expect(hashOf(same, "salt")).toBe(hashOf(one, "salt"));
    expect(hashOf(other, "salt")).not.toBe(hashOf(one, "salt"));
    expect(hashOf(one, "other")).not.toBe(hashOf(one, "salt"));
  });
});

describe("what is selected", () => {
  const records = ["a", "b"].map((id) => customer({ id, stack: "eu" }));
  const deployments = toDeployments([...records, customer({ id: "c" })], options);
  const project = {
    stacks: new Set(["dev", "customer-c", "customer-eu", "customer-z"]),
    orphansOf: async ({ stack }: Deployment) => (stack === "customer-eu" ? [{ id: "y" }] : []),
  };
  const stacksOf = async (verb: FleetVerb, more: object) => {
    const { wanted, removed } = await select(deployments, verb, project, { prefix: "customer-", ...more });
    return [wanted.map(({ stack, removedIds }) => [stack, ...(removedIds ?? [])].join()), removed];
  };

  it("is what has a record, or only what has none", async () => {
    expect(await stacksOf("up", {})).toEqual([["customer-eu", "customer-c"], ["customer-z"]]);
    expect(await stacksOf("up", { only: ["a"] })).toEqual([["customer-eu"], ["customer-z"]]);
    expect(await stacksOf("destroy", { removed: true })).toEqual([["customer-z", "customer-eu,y"], ["customer-z"]]);
    const both = await select(deployments, "destroy", project, { prefix: "customer-", removed: true });
    expect(describeDeployments(both.wanted)).toBe("1 stack: customer-z, and of 1 customer in shared stacks: y");
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
