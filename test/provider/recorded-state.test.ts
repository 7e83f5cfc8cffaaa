/** What an engine passes of the state when it opens a provider: no create waits for what is in it. */
import { expect, it, vi } from "vitest";
import type { Clock } from "../../provider/core/clock";
import { registerState } from "../../provider/lifecycle/recorded-state";
import { Registrations } from "../../provider/session/registrations";
import { virtualClock } from "../virtual-clock";
import type { Managed, Phase } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage();

const hook = (path: string) => ({ type: "signed-envelope", url: `https://receiver.example/${path}` });
const webhook = "esign:index:Webhook";

/** A clock that goes forward only while something is waited for, and counts the waits. */
function countingClock(): { clock: Clock; waits: () => number } {
  let count = 0;
  let time = 0;
  const sleep: Clock["sleep"] = async (ms) => {
    count++;
    time += ms;
  };
  return { clock: { ...virtualClock, now: () => time, sleep }, waits: () => count };
}

/** A phase of an engine that passes the state. */
function phaseWith(...managed: Managed[]) {
  const { clock, waits } = countingClock();
  world.clock = clock;
  const phase = world.phase();
  pass(phase, ...managed);
  return { phase, waits };
}

/** Passes the state, as an engine does when it opens a provider. */
function pass({ session }: Phase, ...managed: Managed[]): void {
  // What a state has is no pending create.
  for (const each of managed) world.acknowledge(each);
  const own = managed.map(({ id, outs }) => ({ type: webhook, id, outputs: outs }));
  registerState(session, { own, ids: new Map([[webhook, new Set(own.map(({ id }) => id))]]) });
}

async function old(path: string): Promise<string> {
  const { webhook_id } = await world.client.webhooks.create({ webhook_type: "signed-envelope", ...urlOf(path) });
  return String(webhook_id);
}
const urlOf = (path: string) => ({ webhook_url: hook(path).url });
const owner = { user_name: "O", user_email: "o@other.example" };
/** Later than any read may lag. */
const pastLag = () => virtualClock.sleep(9_000);

it("an object that no resource of it has is adopted at once", async () => {
  const other = await world.create("webhook", hook("other"));
  const id = await old("new");
  await pastLag();
  const { phase, waits } = phaseWith(other);
  await phase.webhook.check({}, hook("new"));
  expect((await world.create("webhook", hook("new"), phase)).id).toBe(id);
  expect(waits()).toBe(0);
});

it("one that a resource of it has is adopted only when that is registered, or is not for a moment", async () => {
  const before = await world.create("webhook", hook("renamed"));
  await pastLag();
  const { phase, waits } = phaseWith(before);
  await phase.webhook.check({}, hook("renamed"));
  expect((await world.create("webhook", hook("renamed"), phase)).id).toBe(before.id);
  expect(waits()).toBeGreaterThan(0);
});

it("without a state, as the Pulumi CLI asks, the moment is waited for", async () => {
  const id = await old("new");
  await pastLag();
  const { clock, waits } = countingClock();
  world.clock = clock;
  const phase = world.phase();
  await phase.webhook.check({}, hook("new"));
  expect((await world.create("webhook", hook("new"), phase)).id).toBe(id);
  expect(waits()).toBeGreaterThan(0);
});

it("the account of another key is proved by any object of it, whichever is asked first", async () => {
  const made = await world.create("webhook", hook("made"));
  const rotated = await world.service.rotateKey(world.service.data().accounts[0]!.id);
  world.settings = { ...world.settings, apiKey: rotated };
  await pastLag();
  const { phase, waits } = phaseWith(made);
  await phase.webhook.check({}, hook("second"));
  await world.create("webhook", hook("second"), phase);
  expect(waits()).toBe(0);
});

it("the account of another key is proved by what the program declares, where the first objects of the state are gone", async () => {
  const made = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((n) => world.create("webhook", hook(`made-${n}`))));
  const last = made.pop()!;
  for (const { id } of made) await world.client.webhooks.delete({ webhook_id: id });
  const rotated = await world.service.rotateKey(world.service.data().accounts[0]!.id);
  world.settings = { ...world.settings, apiKey: rotated };
  await pastLag();
  const { phase } = phaseWith(...made, last);
  expect(await last.differs(hook("made-7"), phase)).toBe(false);
  await phase.webhook.check({}, hook("second"));
  await world.create("webhook", hook("second"), phase);
});

it("another account is refused before the first write, whichever resource is asked first", async () => {
  const made = await world.create("webhook", hook("made"));
  const { api_key: apiKey } = await world.client.companies.create({ company_name: "Other", ...owner });
  world.settings = { ...world.settings, apiKey: apiKey! };
  await pastLag();
  const { phase } = phaseWith(made);
  const count = world.writes().length;
  await expect(world.create("webhook", hook("second"), phase)).rejects.toThrow("ESIGN1003");
  expect(world.writes()).toHaveLength(count);
});

it("what is damaged in it is an error of its own resource only", async () => {
  const made = await world.create("webhook", hook("made"));
  await pastLag();
  const { phase } = phaseWith(made.having({ ...made.outs, __esign: "{" }), made);
  expect((await world.create("webhook", hook("second"), phase)).id).not.toBe(made.id);
});

it("a registration ends the wait for its object", async () => {
  const { clock, waits } = countingClock();
  const registrations = new Registrations(clock);
  registrations.setRecorded((kind, id) => kind === "Webhook" && ["7", "8"].includes(id));
  registrations.noteCall();
  await registrations.settled({ kind: "Webhook", ids: ["9"] });
  registrations.noteObject("Webhook", "7");
  // Objects of two kinds may have one number.
  registrations.noteObject("Contact", "8");
  await registrations.settled({ kind: "Webhook", ids: ["7", "9"] });
  await registrations.settled({ kind: "Contact", ids: ["7", "8"] });
  expect(waits()).toBe(0);
  await registrations.settled({ kind: "Webhook", ids: ["8"] });
  expect(waits()).toBeGreaterThan(0);
});

it.each([false, true])(
  "what a resource has that changes is not adopted before that is registered (refreshed before: %s)",
  async (refreshes) => {
    const recorded = await world.create("webhook", hook("shared"));
    await pastLag();
    const phase = world.phase();
    pass(phase, recorded);
    const before = refreshes ? await recorded.read(phase) : recorded;
    await phase.webhook.check({}, hook("shared"));
    const created = world.create("webhook", hook("shared"), phase);
    // The program registers it after the other one.
    await virtualClock.sleep(50);
    await phase.webhook.check(before.outs, hook("changed"));
    expect(await before.differs(hook("changed"), phase)).toBe(true);
    expect((await created).id).not.toBe(recorded.id);
  },
);

it("its companies need no client as long as nothing in them is asked for", async () => {
  const args = { name: "N", userName: "U", userEmail: "u@n.example" };
  const company = await world.create("company", args);
  const inside = await world.create("webhook", { ...hook("inside"), account: company.id });
  for (const each of [company, inside]) world.acknowledge(each);
  await pastLag();
  const phase = world.phase({}, "run");
  await vi.waitUntil(() => phase.session.connection.isConfigured);
  const connect = vi.spyOn(phase.session.connection.client, "as");
  const own = [
    { type: "esign:index:Company", id: company.id, outputs: company.outs },
    { type: webhook, id: inside.id, outputs: inside.outs },
  ];
  registerState(phase.session, { own, ids: new Map(own.map(({ type, id }) => [type, new Set([id])])) });
  expect(await company.differs(args, phase)).toBe(false);
  expect(await inside.differs({ ...hook("inside"), account: company.id }, phase)).toBe(false);
  expect(connect).not.toHaveBeenCalled();
  await inside.read(phase);
  expect(connect).toHaveBeenCalled();
});
