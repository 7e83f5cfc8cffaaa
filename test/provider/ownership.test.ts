/** Resources that take an object over from one of another process: each explicit provider has a process of its own. */
import { expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import { wired } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage();

const hook = (more: Properties = {}) => wired("webhook", { type: "all", url: "https://r.example/", ...more });
const run = () => `127.0.0.1:${Math.random()}`;

/** A sub account, as its partner reaches it, and with its own key. */
async function reached() {
  const company = wired("company", { name: "N", userName: "U", userEmail: "u@n.example" });
  const { id } = await world.phase().company.create(company);
  const { key } = world.service.data().accounts.find((account) => account.id === id)!;
  const places = { partner: { args: { account: id }, settings: {} }, own: { args: {}, settings: { apiKey: key } } };
  return { places, webhooks: () => world.service.data().accounts.find((account) => account.id === id)!.webhooks };
}

it.each([
  ["own", "partner"],
  ["partner", "own"],
  ["own", "own"],
] as const)("is not deleted by the old owner's (with the key of the %s) after the new one's (%s)", async (from, to) => {
  const { places, webhooks } = await reached();
  const [old, next] = [places[from], places[to]];
  const made = await world.phase(old.settings).webhook.create(hook(old.args));
  world.acknowledge(made);
  const now = run();
  const { webhook } = world.phase(next.settings, now);
  const taken = await webhook.create(hook(next.args));
  const phase = world.phase(old.settings, now);
  await phase.webhook.delete(made.id, wired("webhook", made.outs));
  expect(phase.said.join()).toMatch(/not deleted: another resource of this program has adopted it/);
  expect(webhooks()).toHaveLength(1);
  // In the journal, a subaccount has a name for each way to it.
  const diff = await world.phase(next.settings).webhook.diff(taken.id, wired("webhook", taken.outs), hook(next.args));
  expect(diff.changes).toBe(from === to);
  // The new owner can be deleted, in this run as in the next one.
  await webhook.delete(taken.id, wired("webhook", taken.outs));
  expect(webhooks()).toEqual([]);
});

it("is not changed by the old owner's, and not deleted by it after a run that failed in between", async () => {
  const made = await world.phase().webhook.create(hook());
  world.acknowledge(made);
  const first = run();
  const taken = await world.phase({}, first).webhook.create(hook());
  const state = wired("webhook", made.outs);
  const update = world.phase({}, first).webhook.update(made.id, state, hook({ url: "https://r.example/2" }));
  await expect(update).rejects.toThrow(/has just adopted the object; nothing was changed/);

  const second = run();
  await world.phase({}, second).webhook.diff(taken.id, wired("webhook", taken.outs), hook());
  await world.phase({}, second).webhook.delete(made.id, state);
  const held = () => world.service.data().accounts.find(({ partner }) => partner)!.webhooks;
  expect(held()).toHaveLength(1);
  // What other runs have told is over.
  await world.phase({}, run()).webhook.delete(made.id, state);
  expect(held()).toEqual([]);
});
