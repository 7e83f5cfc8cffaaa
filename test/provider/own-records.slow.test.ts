/** What a killed run has created is found by the resource that created it, by its URN: equal ones keep theirs. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { resourceArg } from "../../provider/core/hidden-argument";
import type { Properties } from "../../provider/core/pulumi-values";
import { pendingCreatesFolder } from "../../provider/recovery/pending-create-file";
import { urnOf } from "../plugin/client";
import { wired } from "./handlers";
import { onStage } from "./on-stage";

// What a killed run has sent stays in progress.
const world = onStage({ maxConcurrency: "32" });
const url = "https://r.example/";
const hook = (name: string, more: Properties = {}) => ({
  ...{ type: "all", url, onExisting: "create", ...more },
  [resourceArg]: { urn: urnOf("Webhook", name), secrets: [], declared: 0 },
});
const present = () => world.service.data().accounts.flatMap(({ webhooks }) => webhooks.map(({ id }) => id));

const records = () => {
  try {
    return readdirSync(join(world.directory, pendingCreatesFolder)).length;
  } catch {
    return 0;
  }
};

/** Checks and creates a resource, as an engine does. */
async function create(name: string, phase = world.phase(), more: Properties = {}) {
  const { inputs, failures } = await phase.webhook.check({}, hook(name, more));
  expect(failures).toEqual([]);
  return phase.webhook.create(wired("webhook", inputs));
}

it("by a create that was never sent, not what an equal one has created meanwhile, however late that is registered", async () => {
  world.service.configure({ faults: [{ kind: "hang", commit: false, operation: "webhooks.create", times: 1 }] });
  const killed = world.phase();
  void create("first", killed).catch(() => undefined);
  await vi.waitUntil(() => records() === 1, { timeout: 30_000 });
  // The request has been sent, too.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const second = await create("second", killed);
  // The state has it.
  world.acknowledge(second);
  world.service.configure({ faults: [] });
  const next = world.phase();
  const first = await create("first", next);
  expect(first.id).not.toBe(second.id);
  expect(present().sort()).toEqual([first.id, second.id].sort());
});

it.each(["adopt", "fail"])(
  "nor what one beside it has created that is declared once (onExisting: %s)",
  async (onExisting) => {
    world.service.configure({ faults: [{ kind: "hang", commit: false, operation: "webhooks.create", times: 1 }] });
    const killed = world.phase();
    void create("first", killed).catch(() => undefined);
    await vi.waitUntil(() => records() === 1, { timeout: 30_000 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const second = await create("second", killed, { onExisting });
    world.acknowledge(second);
    world.service.configure({ faults: [] });
    const first = await create("first");
    expect(first.id).not.toBe(second.id);
    expect(present().sort()).toEqual([first.id, second.id].sort());
  },
);

it("of two whose outcomes are both unknown, each its own", async () => {
  world.service.configure({ faults: [{ kind: "hang", operation: "webhooks.create" }] });
  const killed = world.phase();
  for (const name of ["a", "b"]) void create(name, killed).catch(() => undefined);
  await vi.waitUntil(() => present().length === 2, { timeout: 30_000 });
  world.service.configure({ faults: [] });
  const phase = world.phase();
  const made = await Promise.all(["a", "b"].map((name) => create(name, phase)));
  expect(made.map(({ id }) => id).sort()).toEqual(present().sort());
});

it("under another name, where no two may declare the same", async () => {
  const made = await create("old", world.phase(), { onExisting: "fail" });
  const next = await create("new", world.phase(), { onExisting: "fail" });
  expect(next.id).toBe(made.id);
});

it("not under another name, where each asks for an object of its own", async () => {
  const made = await create("old");
  const next = await create("new");
  expect(next.id).not.toBe(made.id);
});

it("of another process of the run: what that has made is not this one's", async () => {
  world.service.configure({ faults: [{ kind: "hang", commit: false, operation: "webhooks.create", times: 1 }] });
  // Two explicit providers of one account have a process each, and a session.
  void create("first").catch(() => undefined);
  const folder = join(world.directory, pendingCreatesFolder);
  await vi.waitUntil(() => existsSync(folder) && readdirSync(folder).length === 1, { timeout: 30_000 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const second = await create("second");
  world.acknowledge(second);
  world.service.configure({ faults: [] });
  const first = await create("first");
  expect(first.id).not.toBe(second.id);
  expect(present().sort()).toEqual([first.id, second.id].sort());
});

it("of another process that has ended since: its file is not made again", async () => {
  const phases = [world.phase(), world.phase()] as const;
  const made = await Promise.all(phases.map((phase, at) => create(`hook-${at}`, phase)));
  for (const each of made) world.acknowledge(each);
  await create("last", phases[0]);
  expect(readdirSync(join(world.directory, pendingCreatesFolder))).toHaveLength(1);
});

it.each(["cut-before", "cut-after"] as const)(
  "of two provider instances of one run, each its own object where one request was %s",
  async (kind) => {
    const [one, two] = [world.phase({}, "run"), world.phase({}, "run")] as const;
    world.service.configure({ faults: [{ kind, operation: "webhooks.create", times: 1 }] });
    const made = await Promise.all([
      create("a", one),
      new Promise((resolve) => setTimeout(resolve, 30)).then(() => create("b", two)),
    ]);
    world.service.configure({ faults: [] });
    expect(made.map(({ id }) => id).sort()).toEqual(present().sort());
    expect(present()).toHaveLength(2);
    // Of another run, in which the service has begun with the same IDs, nothing is claimed.
    await world.service.reset();
    expect((await create("a", world.phase({}, "next run"))).id).toBeTruthy();
  },
);

describe.each([
  ["adopt", "create"],
  ["create", "adopt"],
  ["create", "create"],
] as const)("of two provider instances of one run (onExisting: %s and %s)", (first, second) => {
  const pair = () => [world.phase({}, "run"), world.phase({}, "run")] as const;
  const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const expectEachItsOwn = (made: { id: string }[]) => {
    expect(made.map(({ id }) => id).sort()).toEqual(present().sort());
    expect(present()).toHaveLength(2);
  };

  it.each(["cut-before", "cut-after"] as const)("each its own where one request was %s", async (kind) => {
    const [one, two] = pair();
    world.service.configure({ faults: [{ kind, operation: "webhooks.create", times: 1 }] });
    const made = await Promise.all([
      create("a", one, { onExisting: first }),
      later(30).then(() => create("b", two, { onExisting: second })),
    ]);
    world.service.configure({ faults: [] });
    expectEachItsOwn(made);
  });

  it("each its own where the other one has been answered", async () => {
    const [one, two] = pair();
    expectEachItsOwn([await create("a", one, { onExisting: first }), await create("b", two, { onExisting: second })]);
  });

  it.each([0, 30])("each its own where a killed run has created that of the first (after %i ms)", async (delay) => {
    world.service.configure({ faults: [{ kind: "hang", operation: "webhooks.create", times: 1 }] });
    void create("a", world.phase(), { onExisting: first }).catch(() => undefined);
    await vi.waitUntil(() => present().length === 1, { timeout: 30_000 });
    world.service.configure({ faults: [] });
    const [one, two] = pair();
    expectEachItsOwn(
      await Promise.all([
        later(delay).then(() => create("a", one, { onExisting: first })),
        later(30 - delay).then(() => create("b", two, { onExisting: second })),
      ]),
    );
  });
});

it("what an ended run of the same name has adopted may be adopted again", async () => {
  await world.client.webhooks.create({ webhook_type: "all", webhook_url: url });
  const adopt = async () => {
    const phase = world.phase({}, "run");
    const { id } = await create("a", phase, { onExisting: "adopt" });
    phase.session.close();
    return id;
  };
  expect([await adopt(), await adopt()]).toEqual([present()[0], present()[0]]);
  expect(present()).toHaveLength(1);
});
