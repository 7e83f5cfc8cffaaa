/**
 * Three of ten creations are applied and never answered: no object twice, none without an owner, none dangling. How many requests
 * that takes depends on how many share one look at the list, so on the machine: `npm run bench reliability` holds it to a limit.
 */
import { describe, expect, it } from "vitest";
import { connect } from "../../sdk";
import { cases } from "../chance";
import { stage } from "../provider/handlers";
import { disagreements } from "./agreement";
import { cuts, mix, trial } from "./lost-answers";
import { Stack } from "./stack";
import { companies, company, webhook, webhooks } from "./wanted";

const good = { failures: [], problems: [] };

// Each has a service of its own, and mostly waits.
describe.concurrent("one run ends with exactly the wanted objects", () => {
  it("when answers are lost", async () => {
    const figures = await trial({
      program: [...webhooks(cases(80)), ...companies(cases(15))],
      settings: { faults: cuts },
    });
    expect(figures).toMatchObject(good);
    expect(figures.lost).toBeGreaterThan(15);
  });

  it("when the service is busy besides, and twenty of them are the same on purpose", async () => {
    const same = webhooks(20, { url: "https://receiver.example/same", onExisting: "create" });
    const others = webhooks(60).map((one) => ({ ...one, name: `other-${one.name}` }));
    const figures = await trial({ program: [...same, ...others, ...companies(10)], settings: { faults: mix } });
    expect(figures).toMatchObject(good);
  });

  it("when the list lags behind, other people create meanwhile, and there are many pages", async () => {
    const old = Array.from({ length: 230 }, (_, i) => ({ type: "all" as const, url: `https://old.example/${i}` }));
    const figures = await trial({
      program: [...webhooks(60), ...companies(10)],
      settings: { faults: mix, listLag: { ms: 4_000 }, latency: 5 },
      seed: { partner: { webhooks: old } },
      meanwhile: async (service) => {
        const client = connect({ baseUrl: service.url, apiKey: service.keys.partner });
        for (let i = 0; i < 12; i++) {
          // Nearly equal, but for one field. Answers to these are lost as well.
          const near = { webhook_type: "opened-envelope", webhook_url: `https://receiver.example/${i}` } as const;
          await client.webhooks.create(near).catch(() => undefined);
        }
        const all = service.data().accounts.flatMap(({ webhooks: list }) => list);
        return all.filter(({ type }) => type === "opened-envelope").map(({ id }) => id);
      },
    });
    expect(figures).toMatchObject(good);
  });

  it("when two stacks of one account are deployed at the same moment", async () => {
    const world = await stage({ faults: cuts, listLag: { ms: 2_000 } });
    const stacks = ["one", "two"].map((name) => ({ name, stack: new Stack(world) }));
    // The same, but for the field that tells objects apart.
    const programOf = (name: string) => [
      ...Array.from({ length: 30 }, (_, i) => webhook({ url: `https://r.example/${i}/${name}` }, `hook-${i}`)),
      ...Array.from({ length: 5 }, (_, i) =>
        company({ name: `Firm ${i} ${name}`, userEmail: `${name}-u@firm-${i}.example` }, `firm-${i}`),
      ),
    ];
    const ran = await Promise.all(stacks.map(({ name, stack }) => stack.up(programOf(name))));
    const owned = stacks.flatMap(({ stack }) => stack.objects);
    const data = world.service.data();
    await world.service.close();
    expect(ran.flatMap(({ failures }) => failures)).toEqual([]);
    expect(disagreements(data, owned)).toEqual([]);
  });
});
