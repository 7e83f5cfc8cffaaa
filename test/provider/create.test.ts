/** Nothing twice: existing objects, lost answers, twins, and creations that fail half way. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fault } from "../../emulator";
import type { Properties } from "../../provider/core/pulumi-values";
import type { HandlerName } from "../../provider/resources/index";
import { pendingCreatesFolder } from "../../provider/state/pending-creates";
import { connect } from "../../sdk";
import { wired } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage();

const client = () => connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner });
const hook = (url: string, more: Properties = {}) => wired("webhook", { type: "all", url, ...more });
const firm = (n: number, more: Properties = {}) =>
  wired("company", { name: `Firm ${n}`, userName: "U", userEmail: `u${n}@firm.example`, ...more });

/** Runs work like the engine does: so many at a time. */
async function parallel<T, R>(items: T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

async function expectExactly(handler: "webhook" | "company", ids: string[], requests: number) {
  const posted = world.service.counts();
  const listed = handler === "webhook" ? await client().webhooks.list().all() : await client().companies.list().all();
  const found = listed.map((item) => ("webhook_id" in item ? item.webhook_id : item.company_id) as string);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...found].sort()).toEqual([...ids].sort());
  expect(posted.total).toBeLessThanOrEqual(requests);
}

describe("answers that are lost after the commit", () => {
  const cuts = (operation: string): Fault[] => [{ kind: "cut-after", operation, probability: 0.3 }];

  it("leave no orphan and no duplicate of 200 webhooks, with few requests", async () => {
    const urls = Array.from({ length: 200 }, (_, i) => `https://r.example/${i}`);
    const requests: number[] = [];
    // How many share one look at the list depends on what else the machine does: the better of two.
    for (let round = 0; round < 2 && !requests.some((count) => count <= 250); round++) {
      for (const old of await client().webhooks.list().all())
        await client().webhooks.delete({ webhook_id: old.webhook_id });
      world.service.configure({ faults: cuts("webhooks.create") });
      const { webhook } = world.phase();
      const before = world.service.counts().total;
      const made = await parallel(urls, 8, (url) => webhook.create(hook(url)));
      requests.push(world.service.counts().total - before);
      await expectExactly(
        "webhook",
        made.map(({ id }) => id),
        Number.POSITIVE_INFINITY,
      );
    }
    expect(Math.min(...requests)).toBeLessThanOrEqual(250);
  });

  it("are found among objects that were there before, in a list that lags behind", async () => {
    for (let i = 0; i < 60; i++)
      await client().webhooks.create({ webhook_type: "all", webhook_url: `https://old.example/${i}` });
    world.service.configure({ faults: cuts("webhooks.create"), listLag: { ms: 200 } });
    const { webhook } = world.phase();
    const urls = Array.from({ length: 40 }, (_, i) => `https://r.example/${i}`);
    const made = await parallel(urls, 8, (url) => webhook.create(hook(url)));
    // Not from a list, which still lags behind the last write.
    const stored = world.service.data().accounts.flatMap(({ webhooks }) => webhooks);
    const ours = stored.filter(({ url }) => url.startsWith("https://r.example/"));
    expect(ours.map(({ id }) => String(id)).sort()).toEqual(made.map(({ id }) => id).sort());
  });

  it("are told apart for twins", async () => {
    world.service.configure({ faults: cuts("webhooks.create") });
    const { webhook } = world.phase();
    const made = await parallel(Array.from({ length: 40 }), 8, () =>
      webhook.create(hook("https://same.example/", { onExisting: "create" })),
    );
    await expectExactly(
      "webhook",
      made.map(({ id }) => id),
      80,
    );
  });

  it("keep the key of a company", async () => {
    world.service.configure({ faults: [{ kind: "cut-after", operation: "companies.create", nth: 1 }] });
    const { company, said } = world.phase();
    const made = await company.create(firm(1));
    expect(said.join()).toMatch(/response to its create was lost/);
    const [found] = await client().companies.list().all();
    expect(wired("company", made.outs)).toMatchObject({ companyId: found!.company_id, apiKey: found!.company_api_key });
  });

  it("leave exactly the wanted companies", async () => {
    world.service.configure({ faults: cuts("companies.create") });
    const { company } = world.phase();
    const made = await parallel(
      Array.from({ length: 60 }, (_, i) => i),
      8,
      (i) => company.create(firm(i)),
    );
    await expectExactly(
      "company",
      made.map(({ id }) => id),
      80,
    );
  });

  it("are posted again when nothing turns up", async () => {
    world.service.configure({ faults: [{ kind: "cut-before", operation: "webhooks.create", nth: 1 }] });
    const { webhook } = world.phase();
    const made = await webhook.create(hook("https://r.example/"));
    await expectExactly("webhook", [made.id], 20);
  });
});

describe("existing objects", () => {
  it("are taken over one by one when there are several equal ones", async () => {
    for (let i = 0; i < 2; i++)
      await client().webhooks.create({ webhook_type: "all", webhook_url: "https://r.example/" });
    const phase = world.phase();
    const made = await phase.webhook.create(hook("https://r.example/"));
    await expect(phase.webhook.create(hook("https://r.example/"))).rejects.toThrow(/declares the same object/);
    const other = await phase.webhook.create(hook("https://r.example/", { onExisting: "create" }));
    expect(other.id).not.toBe(made.id);
    expect(await client().webhooks.list().all()).toHaveLength(3);
  });

  it("that a resource has asked for beside others are nobody's else, nor in anybody's way", async () => {
    const { webhook } = world.phase();
    const beside = await webhook.create(hook("https://r.example/", { onExisting: "create" }));
    const made = await webhook.create(hook("https://r.example/"));
    expect(made.id).not.toBe(beside.id);
    expect(await client().webhooks.list().all()).toHaveLength(2);
  });

  it("of this program are no doubt when another account has the e-mail address of a company", async () => {
    const { company } = world.phase();
    await company.create(firm(1));
    world.service.configure({ faults: [{ kind: "error", code: 10353, operation: "companies.create" }] });
    await expect(company.create(firm(2, { name: "Firm 1" }))).rejects.toThrow(/userEmail: .*10353/);
  });

  it("are not taken over while the state's owner of one is about to change it", async () => {
    const made = await world.phase().webhook.create(hook("https://a.example/"));
    world.acknowledge(made);
    const { id, outs } = made;
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
    world.clock = { now: () => time, sleep };
    const phase = world.phase();
    await phase.webhook.create(hook("https://c.example/"));
    const checked = phase.webhook.check({}, hook("https://a.example/"));
    // The service takes its time to accept the key, and the engine registers nothing meanwhile.
    time += 1000;
    await checked;
    const creation = phase.webhook.create(hook("https://a.example/"));
    // The owner may be registered a little later.
    await Promise.race([creation, waits]);
    await phase.webhook.diff(id, wired("webhook", outs), hook("https://b.example/"));
    endWait();
    const other = await creation;
    expect(other.id).not.toBe(id);
    await phase.webhook.update(id, wired("webhook", outs), hook("https://b.example/"));
    const urls = (await client().webhooks.list().all()).map(({ webhook_url }) => webhook_url).sort();
    expect(urls).toEqual(["https://a.example/", "https://b.example/", "https://c.example/"]);
  });

  it("are not changed for a resource whose object another one has just taken over", async () => {
    const { id, outs } = await world.phase().webhook.create(hook("https://a.example/"));
    const phase = world.phase();
    // Registered before the owner in the state is.
    expect((await phase.webhook.create(hook("https://a.example/"))).id).toBe(id);
    await phase.webhook.diff(id, wired("webhook", outs), hook("https://b.example/"));
    const update = phase.webhook.update(id, wired("webhook", outs), hook("https://b.example/"));
    await expect(update).rejects.toThrow(/has just adopted the object; nothing was changed/);
    expect((await client().webhooks.get({ webhook_id: id })).webhook_url).toBe("https://a.example/");
  });

  it("that turn up meanwhile are not taken over against the program's word", async () => {
    const { company } = world.phase();
    await company.create(firm(2));
    await client().companies.create({ company_name: "Firm 1", user_name: "U", user_email: "u1@firm.example" });
    await expect(company.create(firm(1, { onExisting: "fail" }))).rejects.toThrow(/10353/);
  });

  it("that the service names are not taken from the owner that is about to change them", async () => {
    const { id, outs } = await world.phase().company.create(firm(1));
    const phase = world.phase();
    await phase.company.diff(id, wired("company", outs), firm(1, { name: "Firm 2" }));
    await expect(phase.company.create(firm(1))).rejects.toThrow(/userEmail: .*10353/);
    await phase.company.update(id, wired("company", outs), firm(1, { name: "Firm 2" }));
  });

  it("are not taken over from a resource that asked for one of its own", async () => {
    const first = world.phase();
    const inputs = hook("https://r.example/0", { onExisting: "create" });
    const { id, outs } = await first.webhook.create(inputs);
    const { webhook } = world.phase();
    await webhook.diff(id, wired("webhook", outs), inputs);
    const other = await webhook.create(hook("https://r.example/0"));
    expect(other.id).not.toBe(id);
    expect(world.service.data().accounts[0]!.webhooks).toHaveLength(2);
  });

  it("stay when a resource was renamed: the new one takes over, the old one is not deleted", async () => {
    for (const [handler, inputs] of [
      ["webhook", hook("https://a.example/")],
      ["company", firm(1, { deletionProtection: false })],
      ["branding", wired("branding", { colour: "#112233" })],
    ] as [HandlerName, Properties][]) {
      const old = await world.phase()[handler].create(inputs);
      // From then on the state alone knows what was there before.
      const { props } = await world.phase()[handler].read(old.id, wired(handler, old.outs));
      const phase = world.phase();
      const renamed = await phase[handler].create(inputs);
      expect(renamed.id).toBe(old.id);
      await phase[handler].delete(old.id, wired(handler, props!));
      expect((await world.phase()[handler].read(renamed.id, wired(handler, renamed.outs))).id).toBe(old.id);
      // What was there before the first of the two is still known.
      await world.phase()[handler].delete(renamed.id, wired(handler, renamed.outs));
    }
    expect((await client().branding.get()).branding_colour).toBe("#1F6FEB");
    expect(await client().companies.list().all()).toEqual([]);
  });

  it('are not what "fail" is about where they are the resource\'s own: a forced replacement keeps the object', async () => {
    const inputs = hook("https://a.example/", { onExisting: "fail" });
    const old = await world.phase().webhook.create(inputs);
    const phase = world.phase();
    const state = wired("webhook", old.outs);
    await phase.webhook.diff(old.id, state, inputs);
    expect((await phase.webhook.create(inputs)).id).toBe(old.id);
    await phase.webhook.delete(old.id, state);
    expect(await client().webhooks.list().all()).toHaveLength(1);
  });

  it("with the same name and another e-mail address are a doubt in words", async () => {
    await client().companies.create({ company_name: "Firm 1", user_name: "X", user_email: "x@else.example" });
    await expect(world.phase().company.create(firm(1))).rejects.toThrow(/different email address.*onExisting/s);
    const made = await world.phase().company.create(firm(1, { onExisting: "create" }));
    expect(await client().companies.list().all()).toHaveLength(2);
    expect(made.id).not.toBe("");
  });

  it("whose user exists elsewhere are explained by field", async () => {
    await client().companies.create({ company_name: "Other", user_name: "X", user_email: "u1@firm.example" });
    await expect(world.phase().company.create(firm(1))).rejects.toThrow(/userEmail: .*10353/);
  });
});

describe("what a killed run has made, and the state has not heard of", () => {
  const notes = () => readdirSync(join(world.directory, pendingCreatesFolder));
  const url = "https://same.example/";
  const twin = (onExisting = "create") => hook(url, { onExisting });
  const create = (count: number, onExisting?: string) => {
    const { webhook } = world.phase();
    return parallel(Array.from({ length: count }), 8, () => webhook.create(twin(onExisting)));
  };
  const ids = (made: { id: string }[]) => made.map(({ id }) => id).sort();
  const present = async () => (await client().webhooks.list().all()).map(({ webhook_id }) => webhook_id).sort();

  it("is found by the next one, twins one by one, while those that were there before stay somebody else's", async () => {
    const theirs = await client().webhooks.create({ webhook_type: "all", webhook_url: url });
    const made = await create(5);
    const [heard, lost] = [made.slice(0, 2), made.slice(2)];
    // That run may be killed, too.
    for (let run = 0; run < 2; run++) {
      const phase = world.phase();
      const again = parallel(lost, 8, () => phase.webhook.create(twin()));
      for (const { id, outs } of heard) await phase.webhook.diff(id, wired("webhook", outs), twin());
      expect(ids(await again)).toEqual(ids(lost));
      expect(await present()).toEqual([theirs.webhook_id, ...ids(made)].sort());
    }
  });

  it("is no matter any more when the state has it: another twin is another object", async () => {
    const [made] = await create(1);
    expect(notes()).toHaveLength(1);
    const phase = world.phase();
    await phase.webhook.diff(made!.id, wired("webhook", made!.outs), twin());
    expect(notes()).toEqual([]);
    const another = await phase.webhook.create(twin());
    expect(another.id).not.toBe(made!.id);
    await world.phase().webhook.delete(made!.id, wired("webhook", made!.outs));
    const third = await world.phase().webhook.create(twin());
    expect(third.id).toBe(another.id);
  });

  it('is no object that "fail" objects to, and a company keeps its key', async () => {
    const [made] = await create(1, "fail");
    expect(ids(await create(1, "fail"))).toEqual([made!.id]);
    for (const onExisting of ["create", "fail"]) {
      const company = firm(onExisting.length, { onExisting, email: "office@firm.example" });
      const first = await world.phase().company.create(company);
      const second = await world.phase().company.create(company);
      expect(wired("company", second.outs)).toMatchObject({
        companyId: first.id,
        apiKey: wired("company", first.outs).apiKey,
      });
    }
    // Whoever is there without a note is somebody else.
    await client().webhooks.create({ webhook_type: "add-user", webhook_url: url });
    const refused = world.phase().webhook.create({ ...twin("fail"), type: "add-user" });
    await expect(refused).rejects.toThrow(/already exists/);
  });

  it.each(["oldest", "newest"] as const)(
    "is told from what others have made since, the %s first",
    async (listOrder) => {
      world.service.configure({ listOrder });
      const [made] = await create(1);
      await client().webhooks.create({ webhook_type: "all", webhook_url: url });
      expect(ids(await create(1))).toEqual([made!.id]);
      expect(await present()).toHaveLength(2);
    },
  );

  it.each(["oldest", "newest"] as const)(
    "is looked for by its own stack, the %s first: another of the same folder and account makes its own",
    async (listOrder) => {
      world.service.configure({ listOrder });
      const made = async (stack: string) => {
        const { webhook } = world.phase();
        const { inputs } = await webhook.check({}, { ...twin(), __stack: stack });
        expect(inputs).toEqual(twin());
        return (await webhook.create(inputs)).id;
      };
      const dev = await made("dev");
      const qa = await made("qa");
      expect(qa).not.toBe(dev);
      expect([await made("dev"), await made("qa")]).toEqual([dev, qa]);
    },
  );

  it("leaves no note when it was refused, and a note that cannot be read or written holds up nothing", async () => {
    world.service.configure({ faults: [{ kind: "error", operation: "webhooks.create", code: 10010, times: 1 }] });
    await expect(create(1)).rejects.toThrow(/10010/);
    expect(notes()).toEqual([]);
    for (const [name, text] of Object.entries({ damaged: "{", emptied: "", zeroed: "\0".repeat(200) }))
      writeFileSync(join(world.directory, pendingCreatesFolder, `${name}.json`), text);
    const [made] = await create(1);
    rmSync(join(world.directory, pendingCreatesFolder), { recursive: true });
    writeFileSync(join(world.directory, pendingCreatesFolder), "no folder");
    const [another] = await create(1);
    expect(await present()).toEqual(ids([made!, another!]));
  });

  it.runIf(process.platform === "linux")("is found when the container is gone in which it was made", async () => {
    const [made] = await create(1);
    const [name] = notes();
    const path = join(world.directory, pendingCreatesFolder, name!);
    const note = JSON.parse(readFileSync(path, "utf8").split("\n")[0]!);
    const life = { ...note.holder.life, namespace: "pid:[1]" };
    writeFileSync(path, JSON.stringify({ ...note, holder: { pid: process.ppid, life } }));
    expect(ids(await create(1))).toEqual([made!.id]);
  });
});

describe("a creation that fails half way", () => {
  it("keeps nobody from declaring the object", async () => {
    const { webhook } = world.phase();
    world.service.configure({ faults: [{ kind: "error", operation: "webhooks.create", code: 10010, times: 1 }] });
    await expect(webhook.create(hook("https://a.example/"))).rejects.toThrow(/10010/);
    await webhook.create(hook("https://a.example/"));
  });

  it("keeps the company's id and key, and the next run finishes it", async () => {
    world.service.configure({ faults: [{ kind: "error", operation: "companies.update", code: 10010, times: 1 }] });
    const inputs = firm(1, { email: "office@firm.example" });
    const failure = await world
      .phase()
      .company.create(inputs)
      .catch((error) => error);
    const [found] = await client().companies.list().all();
    expect(failure.id).toBe(found!.company_id);
    expect(failure.reasons.join()).toMatch(/Company: cannot create/);
    const state = wired("company", failure.properties);
    expect(state).toMatchObject({ apiKey: found!.company_api_key, email: "u1@firm.example" });
    expect(failure.properties.__provider).toBe(state.__provider);

    const phase = world.phase();
    expect(await phase.company.diff(failure.id, state, inputs)).toMatchObject({ changes: true, replaces: [] });
    const updated = await phase.company.update(failure.id, state, inputs);
    expect(wired("company", updated.outs)).toMatchObject({
      email: "office@firm.example",
      apiKey: found!.company_api_key,
    });
    expect((await client().companies.list().all())[0]!.company_email).toBe("office@firm.example");
  });

  it("finishes a company that a killed run has left", async () => {
    await client().companies.create({ company_name: "Firm 1", user_name: "U", user_email: "u1@firm.example" });
    const made = await world.phase().company.create(firm(1, { email: "office@firm.example" }));
    const [found, ...others] = await client().companies.list().all();
    expect(others).toEqual([]);
    expect(found).toMatchObject({ company_id: made.id, company_email: "office@firm.example" });
  });

  it("never takes a test key's answer for an object", async () => {
    for (const [handler, inputs] of [
      ["webhook", hook("https://a.example/")],
      ["company", firm(1)],
      ["branding", wired("branding", { colour: "#112233" })],
      ["brandingEmail", wired("brandingEmail", { type: "email-send", subject: "Hi" })],
    ] as [HandlerName, Properties][]) {
      const phase = world.phase({ apiKey: world.service.keys.test });
      const failure = await phase[handler].create(inputs).catch((error) => error);
      expect(failure.message).toMatch(/test key/);
      expect(failure.id).toBeUndefined();
    }
  });

  it("that a resource names as its account, but the partner does not have, is named by that argument", async () => {
    await expect(world.phase().webhook.create(hook("https://a.example/", { account: "999999" }))).rejects.toThrow(
      /^Webhook: cannot create: account: not in this partner's list.*Nothing was changed/,
    );
  });

  it("that refuses its key is named, and the key is not", async () => {
    const firmMade = await world.phase().company.create(firm(1));
    const refused = async (operation: string) => {
      world.service.configure({ faults: [{ kind: "error", code: 10002, operation }] });
      const failure = await world
        .phase()
        .webhook.create(hook("https://a.example/", { account: firmMade.id }))
        .catch((error) => error);
      world.service.configure({ faults: [] });
      for (const { key } of world.service.data().accounts) expect(failure.message).not.toContain(key);
      return failure.message;
    };
    expect(await refused("webhooks.create")).toMatch(new RegExp(`401.*key is that of subaccount ${firmMade.id}`));
    // The partner's own key opens the list that has the sub account's; an \`up\` has today's configuration.
    expect(await refused("companies.list")).toMatch(/401(?!.*(of the sub account|run `up` first))/);
  });

  it("is refused before a request without partner rights", async () => {
    const failure = await world
      .phase({ apiKey: world.service.keys.account })
      .company.create(firm(1))
      .catch((error) => error);
    expect(failure.message).toMatch(/partner/);
    expect(world.service.requests().filter(({ method }) => method === "POST")).toEqual([]);
  });
});
