/** Resources that take an object over from one of another process: each explicit provider has a process of its own. */
import { expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import { onStage } from "./on-stage";

const world = onStage();

const hook = (more: Properties = {}) => ({ type: "all", url: "https://r.example/", ...more });
const run = () => `127.0.0.1:${Math.random()}`;

it.each([
  ["own", "partner"],
  ["partner", "own"],
  ["own", "own"],
] as const)("is not deleted by the old owner's (with the key of the %s) after the new one's (%s)", async (from, to) => {
  // A subaccount, as its partner reaches it, and with its own key.
  const company = await world.create("company", { name: "N", userName: "U", userEmail: "u@n.example" });
  const account = () => world.service.data().accounts.find(({ id }) => id === company.id)!;
  const places = {
    partner: { args: { account: company.id }, settings: {} },
    own: { args: {}, settings: { apiKey: account().key } },
  };
  const [old, next] = [places[from], places[to]];
  const made = await world.create("webhook", hook(old.args), world.phase(old.settings));
  world.acknowledge(made);
  const now = run();
  const phase = world.phase(next.settings, now);
  const taken = await world.create("webhook", hook(next.args), phase);
  const said = await made.delete(world.phase(old.settings, now));
  expect(said).toMatch(/not deleted: another resource of this program has adopted it/);
  expect(account().webhooks).toHaveLength(1);
  // In the journal, a subaccount has a name for each way to it.
  expect(await taken.differs(hook(next.args), world.phase(next.settings))).toBe(from === to);
  // The new owner can be deleted, in this run as in the next one.
  await taken.delete(phase);
  expect(account().webhooks).toEqual([]);
});

it("is not changed by the old owner's, and not deleted by it after a run that failed in between", async () => {
  const made = await world.create("webhook", hook());
  world.acknowledge(made);
  const first = run();
  const taken = await world.create("webhook", hook(), world.phase({}, first));
  await expect(made.update(hook({ url: "https://r.example/2" }), world.phase({}, first))).rejects.toThrow(
    /has just adopted the object; nothing was changed/,
  );
  const second = run();
  await taken.plan(hook(), world.phase({}, second));
  await made.delete(world.phase({}, second));
  expect(await world.client.webhooks.list().all()).toHaveLength(1);
  // What other runs have reported is over.
  await made.delete(world.phase({}, run()));
  expect(await world.client.webhooks.list().all()).toEqual([]);
});
