/** What was written a moment ago is neither gone nor changed, at a service whose reads lag: each step of the life cycle, by the time of the lag. */
import { describe, expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import type { HandlerName } from "../../provider/resources/index";
import { Managed, wired } from "./handlers";
import { byTurns, onStage } from "./on-stage";

const world = onStage();

const lags = [
  { reads: "nothing", seconds: 0 },
  { reads: "lists alone", seconds: 7.5 },
  { reads: "all reads", seconds: 5 },
  { reads: "all reads", seconds: 7.5 },
] as const;

const person = (name: string) => ({ name, email: `${name}@n.example` });
const kinds: { [K in HandlerName]?: { args: Properties; change: Properties } } = {
  webhook: { args: { type: "all", url: "https://r.example/" }, change: { url: "https://r.example/2" } },
  contact: { args: person("c"), change: { name: "d" } },
  user: { args: { ...person("u"), role: "user", deletionProtection: false }, change: { name: "v" } },
  company: {
    args: { name: "N", userName: "U", userEmail: "u@n.example", deletionProtection: false },
    change: { name: "M" },
  },
};
const singletons: { [K in HandlerName]?: { args: Properties; change: Properties } } = {
  branding: { args: { colour: "#112233" }, change: { colour: "#445566" } },
  brandingEmail: { args: { type: "email-send", subject: "A" }, change: { subject: "B" } },
  settings: { args: { emailPdfAttach: false }, change: { emailPdfAttach: true } },
};

const names = Object.keys(kinds) as HandlerName[];
const all = { ...kinds, ...singletons };

/** What the account has of a kind besides what it had at first. */
function objects(
  handler: HandlerName,
  account = world.service.data().accounts.find(({ key }) => key === world.service.keys.partner)!,
) {
  const { accounts } = world.service.data();
  return {
    webhook: account.webhooks,
    contact: account.contacts,
    user: account.users.filter(({ email }) => email.endsWith("@n.example")),
    company: accounts.filter(({ name }) => ["N", "M"].includes(name)),
  }[handler as string]!;
}

const deletes = () => world.writes().filter(({ method }) => method === "DELETE");

/** The resource as the state has it, as it was written some seconds ago. */
const aged = (made: Managed, seconds: number): Managed => {
  const { __esign, ...outs } = made.outs as { __esign: { madeAt: number; writtenAt?: number } };
  const before = (time: number) => time - seconds * 1000;
  const { madeAt, writtenAt = madeAt } = __esign;
  return made.having({ ...outs, __esign: { ...__esign, madeAt: before(madeAt), writtenAt: before(writtenAt) } });
};

describe.each(byTurns(lags))("where $reads lag by $seconds s", ({ reads, seconds }) => {
  const lag = () =>
    world.service.configure(reads === "all reads" ? { readLag: seconds * 1000 } : { listLag: { ms: seconds * 1000 } });

  it.each(Object.keys(all) as HandlerName[])("a refresh finds what was made and changed: %s", async (handler) => {
    lag();
    const { args, change } = all[handler]!;
    const made = await world.create(handler, args);
    const read = await made.read();
    expect([read.id, read.inputs]).toMatchObject([made.id, args]);
    const changed = await read.update({ ...args, ...change });
    const again = await changed.read();
    expect([again.id, again.inputs]).toMatchObject([made.id, { ...args, ...change }]);
    expect(await again.differs({ ...args, ...change })).toBe(false);
    // Changed once more, at once: no conflict, in the plan as in the update.
    const last = await again.update(args);
    expect((await last.read()).inputs).toMatchObject(args);
    await last.delete();
    if (handler in kinds) expect(objects(handler)).toEqual([]);
  });

  it.each(["webhook", "settings"] as const)(
    "so it does in one process when the machine's clock is set ahead meanwhile: %s",
    async (handler) => {
      lag();
      const { now, date, sleep } = world.clock;
      let ahead = 0;
      world.clock = { now, date: () => date() + ahead, sleep };
      const { args, change } = all[handler]!;
      const made = await world.create(handler, args);
      ahead = 3_600_000;
      const read = await made.read();
      expect([read.id, read.inputs]).toMatchObject([made.id, args]);
      const changed = await read.update({ ...args, ...change });
      ahead = 7_200_000;
      expect((await changed.read()).inputs).toMatchObject({ ...args, ...change });
    },
  );

  it.each(names)("a delete is sent, and what was deleted is not adopted: %s", async (handler) => {
    lag();
    const { args } = kinds[handler]!;
    const made = await world.create(handler, args);
    await made.delete();
    expect([deletes().length, objects(handler)]).toEqual([1, []]);
    const again = await world.create(handler, args);
    expect(again.id).not.toBe(made.id);
    expect(objects(handler)).toMatchObject([{ id: again.id }]);
  });

  it.each(names)("a run after a lost state adopts it, as a renamed resource does: %s", async (handler) => {
    lag();
    const { args } = kinds[handler]!;
    const made = await world.create(handler, args);
    world.acknowledge(made);
    const next = await world.create(handler, args);
    expect(next.id).toBe(made.id);
    expect(objects(handler)).toHaveLength(1);
    expect(next.said).not.toContain("interrupted");
  });

  it("what is in a new company is made, found and deleted by the next runs", async () => {
    lag();
    const { args } = kinds.company!;
    const company = await world.create("company", args);
    const inside = { ...kinds.webhook!.args, account: company.id };
    const hook = await world.create("webhook", inside);
    const contact = await world.create("contact", { ...kinds.contact!.args, account: company.id });
    const branding = await world.create("branding", { ...singletons.branding!.args, account: company.id });
    for (const each of [hook, contact, branding]) expect((await each.read()).id).toBe(each.id);
    const account = () => world.service.data().accounts.find(({ id }) => id === company.id)!;
    for (const each of [hook, contact, branding]) await each.delete();
    expect([account().webhooks, account().contacts]).toEqual([[], []]);
    await company.delete();
    expect(account()).toBeUndefined();
  });

  it.each(names)("an import by ID finds it: %s", async (handler) => {
    lag();
    const made = await world.create(handler, kinds[handler]!.args);
    const imported = new Managed(world, handler, made.id, wired(handler, {}));
    expect((await imported.read()).id).toBe(made.id);
  });

  it("what was made long ago is not waited for", async () => {
    const made = await world.create("webhook", kinds.webhook!.args);
    const webhooks = await world.client.webhooks.list().all();
    for (const { webhook_id } of webhooks) await world.client.webhooks.delete({ webhook_id });
    world.forget();
    world.service.clearLog();
    expect((await aged(made, 9).read()).id).toBe("");
    expect(world.service.requests().map(({ operation }) => operation)).toEqual(["webhooks.list", "webhooks.get"]);
  });
});
