/** What the processes of a fleet share: the partner's list of companies, and a budget of requests. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FleetServer } from "../../cli/fleet/fleet-server";
import type { Properties } from "../../provider/core/pulumi-values";
import { FleetClient, fleetIssue } from "../../provider/session/fleet-client";
import { isPlugin } from "./handlers";
import { onStage } from "./on-stage";

let fleet: FleetServer;
const world = onStage();
beforeEach(async () => {
  fleet = await FleetServer.start();
});
afterEach(() => fleet.close());

/** The hooks of one stack's process. */
const stackOf = (server = fleet) => world.phase({}, "", { ESIGN_FLEET: server.address });
const firm = (n: number, more: Properties = {}) => ({
  name: `Firm ${n}`,
  userName: "U",
  userEmail: `u${n}@firm.example`,
  ...more,
});
const lists = () => world.service.counts().byOperation["companies.list"] ?? 0;
const firms = () => world.service.data().accounts.filter(({ name }) => name.startsWith("Firm"));

async function create(n: number, phase = stackOf()) {
  const made = await world.create("company", firm(n), phase);
  world.acknowledge(made);
  return made;
}

it("is one list, for what exists, for rotated keys, and for the keys of subaccounts", async () => {
  const companies = [await create(1), await create(2)];
  expect(lists()).toBe(1);
  fleet.close();
  fleet = await FleetServer.start();
  for (const [i, company] of companies.entries()) {
    const phase = stackOf();
    expect(await company.differs(firm(i + 1), phase)).toBe(false);
    const hook = { account: company.id, type: "all", url: "https://r.example/" };
    await (await world.create("webhook", hook, phase)).delete(stackOf());
    expect((await company.read(stackOf())).id).toBe(company.id);
  }
  expect(lists()).toBe(2);
  // What exists is adopted.
  expect((await create(1)).id).toBe(companies[0]!.id);
  expect([lists(), firms().length]).toEqual([2, 2]);
});

it("is read again before a write, and after a key was rejected", async () => {
  const made = await create(1);
  const { id } = made;
  await made.read(stackOf());
  await world.client.companies.update({ company_id: id, company_name: "By hand" });
  await expect(made.update(firm(1, { name: "Renamed" }), stackOf())).rejects.toThrow(/changed/);
  await world.service.rotateKey(id);
  const url = "https://r.example/";
  await world.create("webhook", { account: id, type: "all", url }, stackOf());
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
  await expect(world.create("company", firm(2), stackOf())).rejects.toThrow();
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

// The plugin has no settings before an engine has waited for its answer.
it.skipIf(isPlugin)("is for those who know the address", async () => {
  const guess = new FleetClient(fleet.address.replace(/\w+$/, "guess"));
  expect(await guess.companies(stackOf().session.connection.config.values)).toBeUndefined();
  expect(lists()).toBe(0);
});

it("in its own process is the same list for all, which is not copied, and its budget is one", async () => {
  await create(1);
  fleet.close();
  fleet = await FleetServer.start(1000);
  fleet.serveInProcess();
  const settings = world.session().connection.config.values;
  const [first, second] = [
    await new FleetClient(fleet.address).companies(settings),
    await new FleetClient(fleet.address).companies(settings),
  ];
  expect(first!.companies.map(({ company_name }) => company_name)).toContain("Firm 1");
  expect(second!.companies).toBe(first!.companies);
  const taken = vi.spyOn(fleet, "takeFromBudget");
  await new FleetClient(fleet.address).waitForTurn();
  expect(taken).toHaveBeenCalledOnce();
  // Nothing is left of it when it has ended.
  fleet.close();
  expect(await new FleetClient(fleet.address).companies(settings)).toBeUndefined();
});

it.each([false, true])("keeps to the budget, whoever uses it; in its own process: %s", async (isHere) => {
  const server = await FleetServer.start(50);
  if (isHere) server.serveInProcess();
  const since = performance.now();
  const fleets = [1, 2, 3].map(() => new FleetClient(server.address));
  await Promise.all(fleets.flatMap((each) => Array.from({ length: 5 }, () => each.waitForTurn())));
  const seconds = (performance.now() - since) / 1000;
  server.close();
  expect(seconds).toBeGreaterThan(14 / 50 - 0.02);
  // Afterwards everyone is on his own.
  await Promise.all(fleets.map((each) => each.waitForTurn()));
});

it.each([
  "http://fleet.example/token",
  "http://10.0.0.1:8080/token",
  "https://127.0.0.1/token",
  "http://127.0.0.1.evil.example/token",
  "http://127.0.0.1:80@evil.example/token",
  "http://user@127.0.0.1/token",
  "http://localhost:8080/token",
  "http://a.localhost/token",
  "http://[::ffff:10.0.0.1]/token",
  "file:///token",
  "token",
])("is not asked at %s, which would get the key: nothing is done", async (address) => {
  const environment = { ESIGN_FLEET: address };
  expect([FleetClient.of(environment), fleetIssue(environment)]).toEqual([
    undefined,
    expect.stringContaining("ESIGN_FLEET"),
  ]);
  const phase = world.phase({}, "", environment);
  const { failures } = await phase.company.check({}, firm(1));
  expect(failures).toEqual([{ property: "", reason: expect.stringContaining("settings: ESIGN_FLEET") }]);
});

it.each([undefined, "", "http://127.0.0.1:8080/token", "http://127.8.9.1/token", "http://[::1]:8080/token"])(
  "may be at %s",
  (address) => expect(fleetIssue({ ESIGN_FLEET: address })).toBe(undefined),
);
