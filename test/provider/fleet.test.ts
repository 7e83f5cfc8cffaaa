/** What the processes of a fleet share: the partner's list of companies, and a budget of requests. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { Coordinator } from "../../cli/commands/fleet/coordinator";
import type { Properties } from "../../provider/core/pulumi-values";
import { Fleet } from "../../provider/session/fleet";
import { connect } from "../../sdk";
import { wired } from "./handlers";
import { onStage } from "./on-stage";

let fleet: Coordinator;
const world = onStage();
beforeEach(async () => {
  fleet = await Coordinator.start();
});
afterEach(() => fleet.close());

/** The hooks of one stack's process. */
const stackOf = (coordinator = fleet) => world.phase({}, "", { ESIGN_FLEET: coordinator.address });
const firm = (n: number, more: Properties = {}) =>
  wired("company", { name: `Firm ${n}`, userName: "U", userEmail: `u${n}@firm.example`, ...more });
const lists = () => world.service.counts().byOperation["companies.list"] ?? 0;
const firms = () => world.service.data().accounts.filter(({ name }) => name.startsWith("Firm"));

async function create(n: number, hooks = stackOf()) {
  const { id, outs } = await hooks.company.create(firm(n));
  world.acknowledge({ outs });
  return { id, outs: wired("company", outs) };
}

it("is one list, for what exists, for rotated keys, and for the keys of subaccounts", async () => {
  const companies = [await create(1), await create(2)];
  expect(lists()).toBe(1);
  fleet.close();
  fleet = await Coordinator.start();
  for (const { id, outs } of companies) {
    const hooks = stackOf();
    expect(await hooks.company.diff(id, outs, firm(Number(outs.name!.toString().at(-1))))).toMatchObject({
      changes: false,
    });
    const hook = await hooks.webhook.create(wired("webhook", { account: id, type: "all", url: "https://r.example/" }));
    await stackOf().webhook.delete(hook.id, wired("webhook", hook.outs));
    expect((await stackOf().company.read(id, outs)).id).toBe(id);
  }
  expect(lists()).toBe(2);
  // What exists is adopted.
  expect((await create(1)).id).toBe(companies[0]!.id);
  expect([lists(), firms().length]).toEqual([2, 2]);
});

it("is read again before a write, and after a key was rejected", async () => {
  const { id, outs } = await create(1);
  await stackOf().company.read(id, outs);
  const client = connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner });
  await client.companies.update({ company_id: id, company_name: "By hand" });
  const renamed = firm(1, { name: "Renamed" });
  await expect(stackOf().company.update(id, outs, renamed)).rejects.toThrow(/changed/);
  await world.service.rotateKey(id);
  const url = "https://r.example/";
  await stackOf().webhook.create(wired("webhook", { account: id, type: "all", url }));
  expect(world.service.data().accounts.find((account) => account.id === id)?.webhooks).toMatchObject([{ url }]);
});

it("is read again where an earlier run may have created what it does not show", async () => {
  await create(1);
  world.service.configure({
    faults: [
      { kind: "cut-after", operation: "companies.create" },
      { kind: "cut-before", operation: "companies.list" },
    ],
  });
  await expect(stackOf().company.create(firm(2))).rejects.toThrow();
  world.service.configure({ faults: [] });
  const recovered = await create(2);
  expect(firms()).toHaveLength(2);
  expect(recovered.outs.__esign).not.toHaveProperty("adopted");
});

it("is read by each process when the fleet has ended, or cannot read it", async () => {
  world.service.configure({ faults: [{ kind: "status", status: 500, operation: "companies.list", nth: [1] }] });
  await create(1);
  fleet.close();
  await create(2);
  expect(firms()).toHaveLength(2);
});

it("is for those who know the address", async () => {
  const guess = new Fleet(fleet.address.replace(/\w+$/, "guess"));
  expect(await guess.companies(stackOf().session.settings)).toBeUndefined();
  expect(lists()).toBe(0);
});

it("keeps to the budget, whoever uses it", async () => {
  const coordinator = await Coordinator.start(50);
  const since = performance.now();
  const fleets = [1, 2, 3].map(() => new Fleet(coordinator.address));
  await Promise.all(fleets.flatMap((each) => Array.from({ length: 5 }, () => each.waitForTurn())));
  const seconds = (performance.now() - since) / 1000;
  coordinator.close();
  expect(seconds).toBeGreaterThan(14 / 50 - 0.02);
  // Afterwards everyone is on his own.
  await Promise.all(fleets.map((each) => each.waitForTurn()));
});
