import fc from "fast-check";
import { expect, test } from "vitest";
import { type Wish, World } from "./world";

const urn = (name: string): string => `urn:pulumi:s::p::pulumi-nodejs:dynamic/test:Thing::${name}`;

test("creates, updates, replaces and deletes what the program says", async () => {
  const world = new World();
  expect(
    (
      await world.up([
        { name: "a", value: 1 },
        { name: "b", uses: "a" },
      ])
    ).steps,
  ).toEqual(["create a", "create b", "create p-s"]);
  expect(
    (
      await world.up([
        { name: "a", value: 1 },
        { name: "b", uses: "a" },
      ])
    ).changes,
  ).toEqual({ same: 3 });
  expect(world.writes).toBe(1);
  expect(
    (
      await world.up([
        { name: "a", value: 2 },
        { name: "b", uses: "a" },
      ])
    ).steps,
  ).toEqual(["update a", "update b"]);
  const replaced = await world.up([
    { name: "a", value: 2, kind: 1 },
    { name: "b", uses: "a" },
  ]);
  expect(replaced.steps).toEqual(["create-replacement a", "delete-replaced a", "replace a", "update b"]);
  expect(world.calls).toEqual(["create a", "update b", "delete a"]);
  expect((await world.up([{ name: "b" }])).steps).toEqual(["delete a", "update b"]);
  expect((await world.destroy()).ok).toBe(true);
  expect(world.state.resources).toEqual([]);
  expect(world.objects.size).toBe(0);
});

test("deletes dependents before what is deleted before its replacement, and makes them again", async () => {
  const world = new World();
  const program = (kind: number): Wish[] => [
    { name: "a", kind, deleteBeforeReplace: true },
    { name: "b", belongsTo: "a" },
    { name: "c", dependsOn: ["a"] },
  ];
  await world.up(program(1));
  await world.up(program(2));
  expect(world.calls).toEqual(["delete b", "delete a", "create a", "create b"]);
});

test("after a failed creation in such a replacement the next run does not delete the replaced one again", async () => {
  const world = new World();
  const program = (kind: number): Wish[] => [
    { name: "a", kind, deleteBeforeReplace: true },
    { name: "b", belongsTo: "a" },
  ];
  await world.up(program(1));
  world.failing.add("create a");
  expect((await world.up(program(2))).ok).toBe(false);
  expect(world.state.resources.filter((r) => r.pendingReplacement).length).toBe(2);
  world.failing.clear();
  expect((await world.up(program(2))).ok).toBe(true);
  // Its dependents are, though: the CLI does it as well.
  expect(world.calls).toEqual(["delete b", "create a", "create b"]);
  expect(world.objects.size).toBe(2);
});

test("a protected resource is neither deleted nor replaced", async () => {
  const world = new World();
  await world.up([{ name: "a", kind: 1, protect: true }, { name: "b" }]);
  const replaced = await world.up([{ name: "a", kind: 2, protect: true }, { name: "b" }]);
  expect(replaced.ok).toBe(false);
  expect(replaced.said.join()).toContain("protected");
  const destroyed = await world.destroy();
  expect(destroyed.ok).toBe(false);
  expect([...world.objects.values()].map((o) => o.name)).toEqual(["a"]);
});

test("targets: only what is asked for, and an error for what it lacks", async () => {
  const world = new World();
  await world.up([
    { name: "a", value: 1 },
    { name: "b", value: 1 },
  ]);
  expect(
    (
      await world.up(
        [
          { name: "a", value: 2 },
          { name: "b", value: 2 },
        ],
        { targets: [urn("a")] },
      )
    ).steps,
  ).toEqual(["update a"]);
  expect(
    (
      await world.up(
        [
          { name: "a", value: 3 },
          { name: "b", value: 2 },
        ],
        { excludes: [urn("a")] },
      )
    ).steps,
  ).toEqual(["update b"]);
  const lacking = await world.up([{ name: "n" }, { name: "b", uses: "n", value: 2 }], { targets: [urn("b")] });
  expect(lacking.ok).toBe(false);
  expect(lacking.said.join()).toContain(`--target ${urn("n")}`);
  const unknown = await world.up([], { targets: [urn("nobody")] });
  expect(unknown.ok).toBe(false);
  expect(unknown.said.join()).toContain("nobody");
  expect(
    (
      await world.up(
        [
          { name: "a", value: 2 },
          { name: "b", value: 2 },
        ],
        { replaces: [urn("b")] },
      )
    ).steps,
  ).toContain("replace b");
});

test("goes on with what does not depend on what failed, if asked to", async () => {
  const world = new World();
  world.failing.add("create a");
  const result = await world.up([{ name: "a" }, { name: "b", uses: "a" }, { name: "c" }, { name: "d", uses: "c" }], {
    continueOnError: true,
  });
  expect(result.ok).toBe(false);
  expect([...world.objects.values()].map((o) => o.name).sort()).toEqual(["c", "d"]);
});

// ------------------------------------------------------------------------------------------------- random programs

/** Programs of up to eight resources, in which each may refer to those before it. */
const programs = fc
  .array(
    fc.record({
      component: fc.boolean(),
      value: fc.option(fc.nat(2), { nil: undefined }),
      kind: fc.option(fc.nat(1), { nil: undefined }),
      uses: fc.option(fc.nat(7), { nil: undefined }),
      belongsTo: fc.option(fc.nat(7), { nil: undefined }),
      parent: fc.option(fc.nat(7), { nil: undefined }),
      dependsOn: fc.array(fc.nat(7), { maxLength: 2 }),
      dbr: fc.boolean(),
      present: fc.integer({ min: 0, max: 9 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drafts): Wish[] => {
    const wishes: Wish[] = [];
    for (const [i, d] of drafts.entries()) {
      if (d.present === 0) continue;
      const before = (n: number | undefined, custom: boolean): string | undefined => {
        const candidates = wishes.filter((w) => !custom || !w.component);
        return n === undefined || candidates.length === 0 ? undefined : candidates[n % candidates.length]?.name;
      };
      // Every third name is always a component, so that a name does not change its nature between two programs.
      const component = i % 3 === 2;
      const uses = before(d.uses, true);
      const belongsTo = before(d.belongsTo, true);
      const parent = before(d.parent, false);
      wishes.push({
        name: `r${i}`,
        ...(component && { component }),
        ...(d.value !== undefined && { value: d.value }),
        ...(d.kind !== undefined && { kind: d.kind }),
        ...(uses !== undefined && !component && { uses }),
        ...(belongsTo !== undefined && !component && { belongsTo }),
        // A parent is part of the name: it must be the same in both programs.
        ...(parent !== undefined && i % 4 === 3 && wishes.some((w) => w.name === "r2") && { parent: "r2" }),
        dependsOn: [...new Set(d.dependsOn.map((n) => before(n, true)).filter((n) => n !== undefined))],
        ...(d.dbr && !component && { deleteBeforeReplace: true }),
      });
    }
    return wishes;
  });

test("random programs: the preview says what is done, a second run and a run after a refresh change nothing, nothing is left", async () => {
  await fc.assert(
    fc.asyncProperty(programs, programs, async (first, second) => {
      const world = new World();
      for (const program of [first, second]) {
        const plan = await world.preview(program);
        const before = structuredClone(world.state);
        expect(plan.ok, plan.said.join("\n")).toBe(true);
        expect(world.state).toEqual(before);
        expect(world.calls).toEqual([]);
        const done = await world.up(program);
        expect(done.ok, done.said.join("\n")).toBe(true);
        expect(done.changes).toEqual(plan.changes);
        expect(done.steps).toEqual(plan.steps);
        expect(world.objects.size).toBe(program.filter((w) => !w.component).length);
        for (const again of [await world.up(program), await world.refresh(), await world.up(program)]) {
          expect(again.ok, again.said.join("\n")).toBe(true);
          expect(Object.keys(again.changes).filter((op) => op !== "same")).toEqual([]);
          expect(world.writes).toBe(1);
        }
      }
      const gone = await world.destroy();
      expect(gone.ok, gone.said.join("\n")).toBe(true);
      expect(world.state.resources).toEqual([]);
      expect(world.objects.size).toBe(0);
    }),
    { numRuns: 150 },
  );
});

test("random failures: nothing is lost or made twice, and the next run puts things right", async () => {
  const calls = fc.tuple(fc.constantFrom("create", "update", "delete"), fc.nat(7)).map(([op, i]) => `${op} r${i}`);
  await fc.assert(
    fc.asyncProperty(programs, programs, fc.array(calls, { maxLength: 4 }), async (first, second, failing) => {
      const world = new World();
      await world.up(first);
      world.failing = new Set(failing);
      await world.up(second);
      // Every object is known to the state, and nothing in the state is missing but what is to be made again.
      const known = world.state.resources.filter((r) => r.custom && r.id?.startsWith("r") && !r.pendingReplacement);
      expect(known.map((r) => r.id).sort()).toEqual([...world.objects.keys()].sort());
      expect(world.state.pendingOperations).toEqual([]);
      world.failing.clear();
      const mended = await world.up(second);
      expect(mended.ok, mended.said.join("\n")).toBe(true);
      expect(world.objects.size).toBe(second.filter((w) => !w.component).length);
      expect((await world.destroy()).ok).toBe(true);
      expect(world.objects.size).toBe(0);
    }),
    { numRuns: 150 },
  );
});

test("a thousand resources, deep and wide", async () => {
  for (const shape of ["deep", "wide"] as const) {
    const world = new World();
    const program: Wish[] = Array.from({ length: 1000 }, (_, i) => ({
      name: `r${i}`,
      value: 1,
      ...(shape === "deep" && i > 0 && { uses: `r${i - 1}` }),
    }));
    expect((await world.up(program)).changes).toEqual({ create: 1001 });
    expect((await world.up(program)).changes).toEqual({ same: 1001 });
    expect((await world.destroy()).changes).toEqual({ delete: 1001 });
    expect(world.objects.size).toBe(0);
  }
});
