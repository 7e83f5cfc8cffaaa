import { describe, expect, test } from "vitest";
import { readPlan, savedPlan } from "../../engine/backend/saved-plan";
import { UpdatePlan } from "../../engine/plan/constraint/update-plan";
import { secret } from "../../engine/resource/property-value";
import type { Crypter } from "../../engine/secrets/crypter";
import { ResourceSerializer } from "../../engine/state/serializer";
import { type Options, type Wish, World } from "./world";

const reverse = (text: string): string => [...text].reverse().join("");
const serializer = new ResourceSerializer({ salt: "s", encrypt: reverse, decrypt: reverse } as unknown as Crypter);

/** The plan of a preview, by way of its file. */
async function plan(world: World, program: Wish[], options: Options = {}): Promise<UpdatePlan> {
  const updatePlan = new UpdatePlan();
  expect((await world.preview(program, { ...options, updatePlan })).ok).toBe(true);
  const file = JSON.parse(JSON.stringify(savedPlan(updatePlan, serializer, false)));
  return new UpdatePlan(readPlan(file, "s", serializer));
}

const before: Wish[] = [{ name: "a", value: 1 }, { name: "b", value: 1 }, { name: "c" }];
const after: Wish[] = [
  { name: "a", value: 2 },
  { name: "b", kind: 2, value: 1 },
  { name: "d", uses: "a" },
];

async function start(): Promise<World> {
  const world = new World();
  await world.up(before);
  return world;
}

test("what was planned is done, with values that were unknown", async () => {
  const world = await start();
  const updatePlan = await plan(world, after);
  const { ok, said, steps } = await world.up(after, { updatePlan });
  expect({ ok, said }).toEqual({ ok: true, said: [] });
  expect(steps).toContain("create d");
  // What is done already is not refused: it does less.
  expect((await world.up(after, { updatePlan: new UpdatePlan() })).changes).toEqual({ same: 4 });
});

describe("refused before anything of the resource is written, with the difference:", () => {
  test.each<[string, Wish[], string, string]>([
    ["another value", [{ name: "a", value: 3 }, ...after.slice(1)], "update a", "value: planned 2, now 3"],
    [
      "a value that was to stay",
      [after[0]!, { name: "b", kind: 2, value: 2 }, after[2]!],
      "create b",
      "value: planned 1, now 2",
    ],
    [
      "another kind of step",
      [after[0]!, { name: "b", value: 1 }, after[2]!],
      "update b",
      "kind: planned 2, now nothing",
    ],
    [
      "an option",
      [{ name: "a", value: 2, protect: true }, ...after.slice(1)],
      "update a",
      "protect (option): planned false, now true",
    ],
    ["a new resource", [...after, { name: "e" }], "create e", "planned: no change, now: create"],
    [
      "what was to be deleted",
      [...after, { name: "c" }],
      "update c",
      "its deletion was planned, but the program declares it",
    ],
    ["what is no longer declared", after.slice(1, 2), "delete a", "planned: update, now: delete"],
  ])("%s", async (_, program, call, difference) => {
    const world = await start();
    const updatePlan = () => plan(world, after);
    const planned = await updatePlan();
    const preview = await world.preview(program, { updatePlan: planned });
    expect(preview.ok).toBe(false);
    expect(preview.said.join("\n")).toContain(difference);
    const { ok, said } = await world.up(program, { updatePlan: await updatePlan() });
    expect(ok).toBe(false);
    expect(said.join("\n")).toContain(difference);
    expect(world.calls).not.toContain(call);
  });

  test("what was planned and does not come up", async () => {
    const world = await start();
    const updatePlan = await plan(world, after);
    const { ok, said } = await world.preview(after.slice(0, 2), { updatePlan });
    expect(ok).toBe(false);
    expect(said.join("\n")).toContain("planned: create, now: nothing");
  });

  test("a state that has changed since", async () => {
    const world = await start();
    const updatePlan = await plan(world, after);
    await world.up([...before.slice(0, 2), { name: "c" }, { name: "d", value: 7 }]);
    const { ok, said } = await world.up(after, { updatePlan });
    expect(ok).toBe(false);
    expect(said.join("\n")).toContain("value: planned 7, now nothing");
  });
});

test("a run may do less than was planned", async () => {
  const world = await start();
  const updatePlan = await plan(world, after);
  await world.up([{ name: "a", value: 2 }, ...before.slice(1, 2)]);
  const { ok, said } = await world.up(after, { updatePlan });
  expect({ ok, said }).toEqual({ ok: true, said: [] });
});

test("secrets are encrypted in the file, and differences do not show them", async () => {
  const planned = new UpdatePlan();
  const goal = { type: "t", name: "n", custom: true } as never;
  const lists = { dependencies: [], propertyDependencies: {}, ignoreChanges: [], additionalSecretOutputs: [] };
  const full = Object.assign(goal, lists, { aliases: [], customTimeouts: {}, provider: "" });
  planned.addGoal("urn:pulumi:s::p::t::n", full, {}, { key: secret("hunter2"), plain: 1 }, true);
  const file = JSON.stringify(savedPlan(planned, serializer, false));
  expect(file).not.toContain("hunter2");
  const held = new UpdatePlan(readPlan(JSON.parse(file), "s", serializer));
  expect(held.addGoal("urn:pulumi:s::p::t::n", full, {}, { key: secret("hunter2"), plain: 1 }, true)).toBe(undefined);
  const difference = held.addGoal("urn:pulumi:s::p::t::n", full, {}, { key: secret("hunter3"), plain: 1 }, true);
  expect(difference).toBe('key: planned "[secret]", now "[secret]"');
  expect(() => readPlan(JSON.parse(file), "other", serializer)).toThrow("this plan is of the stack s, not of other");
});
