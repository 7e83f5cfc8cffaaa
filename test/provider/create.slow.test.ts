/** Nothing twice: existing objects, lost answers, duplicates, and creations that fail half way. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { keyedHash } from "../../fs/machine-key";
import { hashOf } from "../../provider/core/hash";
import type { Properties } from "../../provider/core/pulumi-values";
import { pendingCreatesFolder } from "../../provider/recovery/pending-create-file";
import { PendingCreateRecords } from "../../provider/recovery/pending-create-records";
import type { HandlerName } from "../../provider/resources/index";
import { urnOf } from "../plugin/client";
import { virtualClock } from "../virtual-clock";
import { isPlugin, wired } from "./handlers";
import { byTurns, onStage } from "./on-stage";

const world = onStage();

const hook = (url: string, more: Properties = {}) => ({ type: "all", url, ...more });
const firm = (n: number, more: Properties = {}) => ({
  name: `Firm ${n}`,
  userName: "U",
  userEmail: `u${n}@firm.example`,
  ...more,
});
const createHook = (url: string, more: Properties = {}, phase = world.phase()) =>
  world.create("webhook", hook(url, more), phase);
const createFirm = (n: number, more: Properties = {}, phase = world.phase()) =>
  world.create("company", firm(n, more), phase);
const hooks = () => world.client.webhooks.list().all();
const companies = () => world.client.companies.list().all();
/** Creates one outside Pulumi. */
const theirHook = (url: string) => world.client.webhooks.create({ webhook_type: "all", webhook_url: url });
const theirFirm = (company_name: string, user_email: string) =>
  world.client.companies.create({ company_name, user_name: "U", user_email });
const refuseOnce = (operation: "webhooks.create" | "companies.update") =>
  world.service.configure({ faults: [{ kind: "error", operation, code: 10010, times: 1 }] });

/** Runs work like the engine does: so many at a time. */
async function parallel<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results;
}
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const ids = (made: { id: string }[]) => made.map(({ id }) => id).sort();

describe("answers that are lost after the commit", () => {
  const hooksOf = (n: number) => hook(`https://r.example/${n}`);
  const duplicate = () => hook("https://same.example/", { onExisting: "create" });
  it.each(
    byTurns<[string, HandlerName, (n: number) => Properties, number, number]>([
      ["webhooks among others, in a list that lags behind", "webhook", hooksOf, 60, 40],
      ["duplicates", "webhook", duplicate, 0, 40],
      ["companies", "company", firm, 0, 60],
    ]),
  )("leave no orphan and no duplicate of %s", async (_, handler, wanted, others, count) => {
    for (const n of numbers(others)) await theirHook(`https://old.example/${n}`);
    const operation = handler === "webhook" ? "webhooks.create" : "companies.create";
    const faults = [{ kind: "cut-after", operation, probability: 0.3 } as const];
    world.service.configure({ faults, ...(others > 0 && { listLag: { ms: 2_000 } }) });
    const phase = world.phase();
    const made = await parallel(numbers(count), (n) => world.create(handler, wanted(n), phase));
    // Not from a list, which still lags behind the last write.
    const { accounts } = world.service.data();
    const ours = accounts.flatMap(({ webhooks }) => webhooks).filter(({ url }) => !url.includes("//old."));
    const stored = handler === "webhook" ? ours : accounts.filter(({ name }) => name.startsWith("Firm "));
    expect(ids(made)).toEqual(stored.map(({ id }) => String(id)).sort());
    expect(new Set(ids(made)).size).toBe(count);
  });

  it("keep the key of a company", async () => {
    world.service.configure({ faults: [{ kind: "cut-after", operation: "companies.create", nth: 1 }] });
    const made = await createFirm(1);
    expect(made.said).toMatch(/response to its create was lost/);
    const [found] = await companies();
    expect(made.outs).toMatchObject({ companyId: found!.company_id, apiKey: found!.company_api_key });
  });

  it("are posted again when nothing turns up", async () => {
    world.service.configure({ faults: [{ kind: "cut-before", operation: "webhooks.create", nth: 1 }] });
    const { id } = await createHook("https://r.example/");
    expect(world.service.counts().total).toBeLessThanOrEqual(20);
    expect(await hooks()).toMatchObject([{ webhook_id: id }]);
  });
});

describe("existing objects", () => {
  it("are adopted one by one when several are identical", async () => {
    for (const _ of numbers(2)) await theirHook("https://r.example/");
    const phase = world.phase();
    const made = await createHook("https://r.example/", {}, phase);
    await expect(createHook("https://r.example/", {}, phase)).rejects.toThrow(/declares the same object/);
    const other = await createHook("https://r.example/", { onExisting: "create" }, phase);
    expect(other.id).not.toBe(made.id);
    expect(await hooks()).toHaveLength(3);
  });

  it("that a resource has created as duplicates are not adopted by others, and block none", async () => {
    const phase = world.phase();
    const beside = await createHook("https://r.example/", { onExisting: "create" }, phase);
    expect((await createHook("https://r.example/", {}, phase)).id).not.toBe(beside.id);
    expect(await hooks()).toHaveLength(2);
    // Nor, once the state has it, in a later run.
    const later = world.phase();
    const own = await createHook("https://r.example/0", { onExisting: "create" });
    await own.plan(hook("https://r.example/0", { onExisting: "create" }), later);
    expect((await createHook("https://r.example/0", {}, later)).id).not.toBe(own.id);
    expect(await hooks()).toHaveLength(4);
  });

  it("of this program are no doubt when another account has the email address of a company", async () => {
    const phase = world.phase();
    await createFirm(1, {}, phase);
    world.service.configure({ faults: [{ kind: "error", code: 10353, operation: "companies.create" }] });
    await expect(createFirm(2, { name: "Firm 1" }, phase)).rejects.toThrow(/userEmail: .*10353/);
  });

  it("are not adopted while the state's owner of one is about to change it", async () => {
    const made = await createHook("https://a.example/");
    world.acknowledge(made);
    let [time, beginWait, endWait] = [0, () => {}, () => {}];
    const waits = new Promise<void>((resolve) => {
      beginWait = resolve;
    });
    const registered = new Promise<void>((resolve) => {
      endWait = resolve;
    });
    const sleep = async (ms: number) => {
      beginWait();
      await registered;
      time += ms;
    };
    world.clock = { now: () => time, date: () => time, sleep };
    const phase = world.phase();
    await createHook("https://c.example/", {}, phase);
    const checked = phase.webhook.check({}, wired("webhook", hook("https://a.example/")));
    // The service takes its time to accept the key, and the engine registers nothing meanwhile.
    time += 1000;
    await checked;
    const creation = createHook("https://a.example/", {}, phase);
    // The owner may be registered a little later.
    await Promise.race([creation, waits]);
    await made.plan(hook("https://b.example/"), phase);
    endWait();
    expect((await creation).id).not.toBe(made.id);
    await made.update(hook("https://b.example/"), phase);
    const urls = (await hooks()).map(({ webhook_url }) => webhook_url).sort();
    expect(urls).toEqual(["https://a.example/", "https://b.example/", "https://c.example/"]);
  });

  it("are not changed for a resource whose object another one has just adopted", async () => {
    const made = await createHook("https://a.example/");
    const phase = world.phase();
    // Registered before the owner in the state is.
    expect((await createHook("https://a.example/", {}, phase)).id).toBe(made.id);
    await made.plan(hook("https://b.example/"), phase);
    await expect(made.update(hook("https://b.example/"), phase)).rejects.toThrow(
      /has just adopted the object; nothing was changed/,
    );
    expect(await hooks()).toMatchObject([{ webhook_id: made.id, webhook_url: "https://a.example/" }]);
  });

  it("that appear meanwhile are not adopted against the program's word", async () => {
    const phase = world.phase();
    await createFirm(2, {}, phase);
    await theirFirm("Firm 1", "u1@firm.example");
    await expect(createFirm(1, { onExisting: "fail" }, phase)).rejects.toThrow(/10353/);
  });

  it("that the service names are not taken from the owner that is about to change them", async () => {
    const made = await createFirm(1);
    const phase = world.phase();
    const changed = firm(1, { name: "Firm 2" });
    await made.plan(changed, phase);
    await expect(createFirm(1, {}, phase)).rejects.toThrow(/userEmail: .*10353/);
    await made.update(changed, phase);
  });

  it("stay when a resource was renamed: the new one adopts, the old one is not deleted", async () => {
    for (const [handler, inputs] of [
      ["webhook", hook("https://a.example/")],
      ["company", firm(1, { deletionProtection: false })],
      ["branding", { colour: "#112233" }],
    ] as [HandlerName, Properties][]) {
      // From the refresh on the state alone has the original values.
      const old = await (await world.create(handler, inputs)).read();
      const phase = world.phase();
      const renamed = await world.create(handler, inputs, phase);
      expect(renamed.id).toBe(old.id);
      await old.delete(phase);
      expect((await renamed.read()).id).toBe(old.id);
      // The original values from before the first of the two still exist.
      await renamed.delete();
    }
    expect((await world.client.branding.get()).branding_colour).toBe("#1F6FEB");
    expect(await companies()).toEqual([]);
  });

  it('are not what "fail" is about where they are the resource\'s own: a forced replacement keeps the object', async () => {
    const fail = { onExisting: "fail" };
    const old = await createHook("https://a.example/", fail);
    const phase = world.phase();
    await old.plan(hook("https://a.example/", fail), phase);
    expect((await createHook("https://a.example/", fail, phase)).id).toBe(old.id);
    await old.delete(phase);
    expect(await hooks()).toHaveLength(1);
  });

  it("with the same name and another email address are a doubt, with a message", async () => {
    await theirFirm("Firm 1", "x@else.example");
    await expect(createFirm(1)).rejects.toThrow(/different email address.*onExisting/s);
    expect((await createFirm(1, { onExisting: "create" })).id).not.toBe("");
    expect(await companies()).toHaveLength(2);
  });

  it("whose user exists elsewhere are explained by field", async () => {
    await theirFirm("Other", "u1@firm.example");
    await expect(createFirm(1)).rejects.toThrow(/userEmail: .*10353/);
  });
});

describe("what a killed run has made, and the state has not heard of", () => {
  const folder = () => join(world.directory, pendingCreatesFolder);
  const notes = () => readdirSync(folder());
  const url = "https://same.example/";
  const own = { onExisting: "create" };
  const create = async (more: Properties = own) => (await createHook(url, more)).id;
  const present = async () => (await hooks()).map(({ webhook_id }) => webhook_id).sort();
  /** The record of the only create, with another process as the one that sends it. */
  const sentBy = (sending: object) => {
    const path = join(folder(), notes()[0]!);
    const note = JSON.parse(readFileSync(path, "utf8").split("\n")[0]!);
    writeFileSync(path, JSON.stringify({ ...note, process: { ...note.process, ...sending } }));
    return note.process;
  };

  it("is found by the next one, duplicates one by one, while earlier ones stay unmanaged", async () => {
    const theirs = await theirHook(url);
    const createAll = (count: number, phase = world.phase()) =>
      parallel(numbers(count), () => createHook(url, own, phase));
    const made = await createAll(5);
    const [heard, lost] = [made.slice(0, 2), made.slice(2)];
    // That run may be killed, too.
    for (let run = 0; run < 2; run++) {
      const phase = world.phase();
      const again = createAll(3, phase);
      for (const each of heard) await each.plan(hook(url, own), phase);
      expect(ids(await again)).toEqual(ids(lost));
      expect(await present()).toEqual([theirs.webhook_id, ...ids(made)].sort());
    }
  });

  it("is no matter any more when the state has it: another duplicate is another object", async () => {
    const made = await createHook(url, own);
    expect(notes()).toHaveLength(1);
    const phase = world.phase();
    await made.plan(hook(url, own), phase);
    expect(notes()).toEqual([]);
    const another = await createHook(url, own, phase);
    expect(another.id).not.toBe(made.id);
    await made.delete();
    expect(await create()).toBe(another.id);
  });

  it.each([
    ["contact", { name: "Carla", email: "carla@client.example" }, { name: "Carla Client" }],
    ["user", { name: "Ann", email: "ann@northwind.example", role: "user" }, { name: "Anna", role: "admin" }],
    ["company", { ...firm(3), email: "one@firm.example" }, { email: "two@firm.example" }],
  ] as [HandlerName, Properties, Properties][])(
    "is the %s that its record names, whatever else has changed since: created, not adopted, with what is declared now",
    async (handler, before, changes) => {
      for (const onExisting of ["adopt", "fail"]) {
        const of = (email: unknown) => String(email).replace("@", `-${onExisting}@`);
        const fresh =
          handler === "company" ? { name: onExisting, userEmail: of(before.userEmail) } : { email: of(before.email) };
        const first = wired(handler, { ...before, ...fresh, onExisting });
        const made = await world.create(handler, first);
        const again = await world.create(handler, { ...first, ...wired(handler, changes) });
        expect([again.id, again.outs]).toEqual([made.id, expect.objectContaining(wired(handler, changes))]);
        expect(again.outs.__esign).not.toHaveProperty("adopted");
        world.acknowledge(again);
      }
      expect(notes()).toEqual([]);
    },
  );

  it("is not the object with the ID in its record, where that is another one by now", async () => {
    const made = await create();
    await world.client.webhooks.update({
      webhook_id: made,
      webhook_type: "all",
      webhook_url: "https://theirs.example/",
    });
    expect(await create()).not.toBe(made);
    expect(await present()).toHaveLength(2);
  });

  it('is no object that "fail" objects to, and a company keeps its key', async () => {
    const fail = { onExisting: "fail" };
    const made = await create(fail);
    expect(await create(fail)).toBe(made);
    for (const onExisting of ["create", "fail"]) {
      const company = () => createFirm(onExisting.length, { onExisting, email: "office@firm.example" });
      const first = await company();
      expect((await company()).outs).toMatchObject({ companyId: first.id, apiKey: first.outs.apiKey });
    }
    // An object without a record is unmanaged.
    await world.client.webhooks.create({ webhook_type: "add-user", webhook_url: url });
    await expect(create({ ...fail, type: "add-user" })).rejects.toThrow(/already exists/);
  });

  it.each(["oldest", "newest"] as const)(
    "is not confused with later objects of others, nor with one of another stack of the folder, the %s first",
    async (listOrder) => {
      world.service.configure({ listOrder });
      const made = await create();
      await theirHook(url);
      expect(await create()).toBe(made);
      expect(await present()).toHaveLength(2);

      const ofStack = async (stack: string) => {
        const { webhook } = world.phase();
        const duplicate = wired("webhook", hook("https://stacks.example/", own));
        const urn = urnOf("Webhook", "hook", stack);
        const { inputs } = await webhook.check({}, { ...duplicate, __resource: { urn, secrets: [], declared: 1 } });
        expect(inputs).toEqual({ ...duplicate, __resource: urn });
        return (await webhook.create(inputs)).id;
      };
      const [dev, qa] = [await ofStack("dev"), await ofStack("qa")];
      expect(qa).not.toBe(dev);
      expect([await ofStack("dev"), await ofStack("qa")]).toEqual([dev, qa]);
    },
  );

  it("leaves no note when it was refused, and a note that cannot be read or written holds up nothing", async () => {
    refuseOnce("webhooks.create");
    await expect(create()).rejects.toThrow(/10010/);
    expect(notes()).toEqual([]);
    for (const [name, text] of Object.entries({ damaged: "{", emptied: "", zeroed: "\0".repeat(200) }))
      writeFileSync(join(folder(), `${name}.json`), text);
    const made = await create();
    rmSync(folder(), { recursive: true });
    writeFileSync(folder(), "no folder");
    const another = await create();
    expect(await present()).toEqual([made, another].sort());
  });

  it.runIf(process.platform === "linux")("is found when the container is gone in which it was made", async () => {
    const made = await create();
    const { life } = sentBy({});
    sentBy({ pid: process.ppid, life: { ...life, namespace: "pid:[1]" } });
    expect(await create()).toBe(made);
  });

  it("is waited for while the process is at work that makes it", async () => {
    const made = await create();
    sentBy({ pid: process.ppid, life: undefined });
    const kill = vi.spyOn(process, "kill");
    const sleep = vi.spyOn(virtualClock, "sleep").mockImplementationOnce(async () => {
      kill.mockImplementation(() => {
        throw Object.assign(new Error("no such process"), { code: "ESRCH" });
      });
    });
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await create()).toBe(made);
    expect(sleep).toHaveBeenCalledOnce();
  });

  it("is waited for by all creates together as long as by one alone, where the process does not end", async () => {
    const targets = numbers(10).map((i) => ({ kind: "Webhook", stack: "dev", name: `hook ${i}` }));
    mkdirSync(folder(), { recursive: true });
    for (const { name, ...target } of targets) {
      const hashes = { target: keyedHash("create", name), sender: "" };
      const rest = { version: 1, existing: [], isAlike: false, isReplacement: false };
      const record = { process: { pid: process.ppid }, ...hashes, ...rest, ...target };
      writeFileSync(join(folder(), `${hashOf(name)}.json`), `${JSON.stringify(record)}\n`);
    }
    const creates = new PendingCreateRecords(world.directory, virtualClock);
    const start = virtualClock.now();
    const found = await Promise.all(
      targets.map((target) =>
        creates
          .logOf(
            {
              ...target,
              sender: "",
              urn: undefined,
              isDeclared: () => false,
              isAlike: false,
              isReplacement: false,
              hasFormerRecord: false,
            },
            "",
            String,
          )
          .hasPending(),
      ),
    );
    expect(found).toEqual(targets.map(() => false));
    expect(virtualClock.now() - start).toBeGreaterThanOrEqual(2000);
  });
});

describe("a creation that fails half way", () => {
  it("leaves the object free to be declared", async () => {
    const phase = world.phase();
    refuseOnce("webhooks.create");
    await expect(createHook("https://a.example/", {}, phase)).rejects.toThrow(/10010/);
    await createHook("https://a.example/", {}, phase);
  });

  it("keeps the company's id and key, and the next run finishes it", async () => {
    refuseOnce("companies.update");
    const inputs = firm(1, { email: "office@firm.example" });
    const failure = await world.create("company", inputs).catch((error) => error);
    const [found] = await companies();
    const { company_id: companyId, company_api_key: apiKey } = found!;
    expect(failure.id).toBe(companyId);
    expect(failure.reasons.join()).toMatch(/Company: cannot create/);
    const state = wired("company", failure.properties);
    expect(state).toMatchObject({ apiKey, email: "u1@firm.example" });
    if (!isPlugin) expect(failure.properties.__provider).toBe(state.__provider);

    const phase = world.phase();
    const news = wired("company", inputs);
    expect(await phase.company.diff(failure.id, state, news)).toMatchObject({ changes: true, replaces: [] });
    const { outs } = await phase.company.update(failure.id, state, news);
    expect(wired("company", outs)).toMatchObject({ email: "office@firm.example", apiKey });
    expect(await companies()).toMatchObject([{ company_email: "office@firm.example" }]);
  });

  it("finishes a company that a killed run has left", async () => {
    await theirFirm("Firm 1", "u1@firm.example");
    const made = await createFirm(1, { email: "office@firm.example" });
    const [found, ...others] = await companies();
    expect(others).toEqual([]);
    expect(found).toMatchObject({ company_id: made.id, company_email: "office@firm.example" });
  });

  it.each<[HandlerName, Properties]>([
    ["webhook", hook("https://a.example/")],
    ["company", firm(1)],
    ["branding", { colour: "#112233" }],
    ["brandingEmail", { type: "email-send", subject: "Hi" }],
  ])("never takes a test key's answer for an object: %s", async (handler, inputs) => {
    const phase = world.phase({ apiKey: world.service.keys.test });
    const failure = await world.create(handler, inputs, phase).catch((error) => error);
    expect(failure.message).toMatch(/test key/);
    expect(failure.id).toBeUndefined();
  });

  it("that a resource names as its account, but the partner does not have, is named by that argument", async () => {
    await expect(createHook("https://a.example/", { account: "999999" })).rejects.toThrow(
      /^Webhook: cannot create: account: \d+ is not in this partner's list.*Nothing was changed/,
    );
  });

  it("that refuses its key is named, and the key is not", async () => {
    const { id: account } = await createFirm(1);
    const refused = async (operation: "webhooks.create" | "companies.list") => {
      world.service.configure({ faults: [{ kind: "error", code: 10002, operation }] });
      const { message } = await createHook("https://a.example/", { account }).catch((error) => error);
      world.service.configure({ faults: [] });
      for (const { key } of world.service.data().accounts) expect(message).not.toContain(key);
      return message;
    };
    expect(await refused("webhooks.create")).toMatch(new RegExp(`401.*key is that of subaccount ${account}`));
    // The partner's own key opens the list that has the subaccount's.
    expect(await refused("companies.list")).toMatch(/401(?!.*key is that of subaccount)/);
  });

  it("is refused before a request without partner rights", async () => {
    const phase = world.phase({ apiKey: world.service.keys.account });
    await expect(createFirm(1, {}, phase)).rejects.toThrow(/partner/);
    expect(world.writes().filter(({ method }) => method === "POST")).toEqual([]);
  });
});
