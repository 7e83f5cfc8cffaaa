import { expect, test } from "vitest";
import { readPlan, savedPlan } from "../backend/saved-plan";
import { UpdatePlan } from "../plan/constraint/update-plan";
import { secret } from "../resource/property-value";
import type { Crypter } from "../secrets/crypter";
import { ResourceSerializer } from "../state/serializer";
import { type Options, type Wish, World } from "./world";

const reverse = (text: string): string => [...text].reverse().join("");
const serializer = new ResourceSerializer({ salt: "s", encrypt: reverse, decrypt: reverse } as unknown as Crypter);

/** The plan of a preview, written to its file and read again. */
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

/** A world with a first deployment, and the plan of the next one. */
async function start() {
  const world = new World();
  await world.up(before);
  return { world, updatePlan: await plan(world, after), again: () => plan(world, after) };
}
const failed = (difference: string) => ({ ok: false, said: [expect.stringContaining(difference)] });

test("what was planned is done, with values that were unknown, or less", async () => {
  const { world, updatePlan } = await start();
  const done = await world.up(after, { updatePlan });
  expect(done).toMatchObject({ ok: true, said: [], steps: expect.arrayContaining(["create d"]) });
  // A planned step that is no longer necessary is not rejected.
  expect((await world.up(after, { updatePlan: new UpdatePlan() })).changes).toEqual({ same: 4 });
});

test("a run may do less than was planned, but not what it does not say of a state that has changed", async () => {
  const less = await start();
  await less.world.up([{ name: "a", value: 2 }, ...before.slice(1, 2)]);
  expect(await less.world.up(after, { updatePlan: less.updatePlan })).toMatchObject({ ok: true, said: [] });
  const other = await start();
  await other.world.up([...before.slice(0, 2), { name: "c" }, { name: "d", value: 7 }]);
  expect(await other.world.up(after, { updatePlan: other.updatePlan })).toMatchObject(
    failed("value: planned 7, now nothing"),
  );
});

test("what was planned and does not come up is refused", async () => {
  const { world, updatePlan } = await start();
  expect(await world.preview(after.slice(0, 2), { updatePlan })).toMatchObject(failed("planned: create, now: nothing"));
});

const [a, b, d] = after as [Wish, Wish, Wish];
test.each<[string, Wish[], string, string]>([
  ["another value", [{ name: "a", value: 3 }, b, d], "update a", "value: planned 2, now 3"],
  ["a value that was to stay", [a, { ...b, value: 2 }, d], "create b", "value: planned 1, now 2"],
  ["another kind of step", [a, { name: "b", value: 1 }, d], "update b", "kind: planned 2, now nothing"],
  ["an option", [{ ...a, protect: true }, b, d], "update a", "protect (option): planned false, now true"],
  ["a new resource", [...after, { name: "e" }], "create e", "planned: no change, now: create"],
  [
    "what was to be deleted",
    [...after, { name: "c" }],
    "update c",
    "its deletion was planned, but the program declares it",
  ],
  ["what is no longer declared", [b], "delete a", "planned: update, now: delete"],
])(
  "%s is refused before anything of the resource is written, with the difference",
  async (_, program, call, difference) => {
    const { world, updatePlan, again } = await start();
    for (const ran of [
      await world.preview(program, { updatePlan }),
      await world.up(program, { updatePlan: await again() }),
    ]) {
      expect(ran.ok).toBe(false);
      expect(ran.said.join("\n")).toContain(difference);
    }
    expect(world.calls).not.toContain(call);
  },
);

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
  // Of a long text not even an excerpt, which could contain part of a secret.
  const long = (end: string) => ({ key: secret("hunter2"), plain: `${"x".repeat(190)}another-secret${end}` });
  const longPlan = new UpdatePlan();
  longPlan.addGoal("urn:pulumi:s::p::t::n", full, {}, long("1"), true);
  const heldLong = new UpdatePlan(
    readPlan(JSON.parse(JSON.stringify(savedPlan(longPlan, serializer, false))), "s", serializer),
  );
  expect(heldLong.addGoal("urn:pulumi:s::p::t::n", full, {}, long("22"), true)).toBe(
    "plain: planned 207 characters, now 208 characters, which differ from character 206",
  );
  expect(() => readPlan(JSON.parse(file), "other", serializer)).toThrow("this plan is of the stack s, not of other");
});
