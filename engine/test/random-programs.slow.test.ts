/** Random programs on a service in memory. */
import { expect, test } from "vitest";
import { fc } from "../../test/chance";
import { isSecret } from "../resource/property-value";
import { nameOf } from "../resource/urn";
import { names, programs, settings } from "./random";
import { expectOk, type Ran, type Wish, World } from "./world";

/** From any state, an update ends with exactly the program's resources, and a destroy with none. */
async function expectLife(world: World, program: Wish[]): Promise<void> {
  expectOk(await world.up(program));
  expect(world.names).toEqual(names(program));
  expectOk(await world.destroy());
  expect(world.names).toEqual([]);
  expect(world.breaches).toEqual([]);
}
/** The state has each resource as the program declares it. */
function expectOptions(world: World, program: Wish[]): void {
  for (const wish of program) {
    const r = world.resource(wish.name);
    const urnOf = (name: string | undefined) => (name === undefined ? undefined : world.resource(name)?.urn);
    expect({
      protect: r?.protect === true,
      retainOnDelete: r?.retainOnDelete === true,
      deletedWith: r?.deletedWith,
      ignoreChanges: r?.ignoreChanges ?? [],
      parent: r?.parent,
    }).toEqual({
      protect: wish.protect === true,
      retainOnDelete: wish.retainOnDelete === true,
      deletedWith: wish.deletedWithOwner ? urnOf(wish.belongsTo) : undefined,
      ignoreChanges: wish.ignoreChanges ?? [],
      parent: urnOf(wish.parent ?? "p-s"),
    });
    if (wish.additionalSecretOutputs) expect(isSecret(r?.outputs?.token), `token of ${wish.name}`).toBe(true);
  }
}

/** The service has the declared values, except for ignored properties. */
function expectValues(world: World, program: Wish[], before: Map<string, unknown>, ran: Ran): void {
  for (const wish of program.filter((w) => !w.component)) {
    const id = String(world.resource(wish.name)?.id);
    const made = ran.steps.includes(`create ${wish.name}`) || ran.steps.includes(`create-replacement ${wish.name}`);
    const ignored = wish.ignoreChanges !== undefined && !made;
    expect(world.objects.get(id)?.value, wish.name).toBe(ignored ? before.get(id) : wish.value);
  }
}

const one = (name: string, more: Partial<Wish> = {}): Wish => ({ name, key: name, dependsOn: [], ...more });
const dependents = (more: Partial<Wish>) => Array.from({ length: 12 }, (_, i) => one(`b${i}`, more));
const renamed = one("c", { key: "b", alias: "b", ignoreChanges: ["owner"] });
/** Pairs of programs that random cases have found, or rarely find. */
const found: Record<string, [Wish[], Wish[]]> = {
  "what is deleted with another is replaced because of the program, and that other one deleted, at the same moment": [
    [one("a"), one("b"), one("c", { belongsTo: "b", deletedWithOwner: true })],
    [one("a"), one("b", { belongsTo: "a", deletedWithOwner: false, deleteBeforeReplace: true }), one("c")],
  ],
  "a dependent that was deleted before a replacement is made again under another name": [
    [one("a", { kind: 1 }), one("b", { belongsTo: "a" })],
    [one("a", { kind: 2, deleteBeforeReplace: true }), renamed],
  ],
  "what is registered already under another name is not deleted as the dependent of what is replaced later": [
    [one("slow"), one("a", { kind: 1 }), one("b", { belongsTo: "a" })],
    [renamed, one("slow", { value: 1 }), one("a", { kind: 2, deleteBeforeReplace: true, dependsOn: ["slow"] })],
  ],
  "more dependents than places register again while they are being deleted": [
    [one("a", { kind: 1 }), ...dependents({ belongsTo: "a" })],
    [one("a", { kind: 2, deleteBeforeReplace: true }), ...dependents({})],
  ],
};

test("the preview says what is done, a second run and a run after a refresh change nothing, nothing is left", async () => {
  await fc.assert(
    fc.asyncProperty(programs(), programs(), async (first, second) => {
      const world = new World();
      let idsBefore = new Set<string>();
      for (const program of [first, second]) {
        const before = structuredClone(world.state);
        const values = new Map<string, unknown>([...world.objects].map(([id, o]) => [id, o.value]));
        const plan = expectOk(await world.preview(program));
        expect(world.state).toEqual(before);
        expect(world.calls).toEqual([]);
        const done = expectOk(await world.up(program));
        expect(done.changes).toEqual(plan.changes);
        expect(done.steps).toEqual(plan.steps);
        expect(world.names).toEqual(names(program));
        expectValues(world, program, values, done);
        for (const again of [
          () => world.up(program),
          () => world.refresh(),
          () => world.up(program),
          () => world.up(program, { refresh: true }),
        ]) {
          const ran = expectOk(await again());
          expect(Object.keys(ran.changes).filter((op) => op !== "same")).toEqual([]);
          expect(world.writes).toBe(1);
        }
        expectOptions(world, program);
        // Unknown fields survive.
        for (const r of world.state.resources) if (idsBefore.has(r.id ?? "")) expect(r.future).toEqual({ of: r.id });
        if (program === first)
          world.edit((file) => {
            file.future = { of: ["the", "state"] };
            for (const r of file.resources ?? []) r.future = { of: r.id ?? r.urn };
          });
        idsBefore = new Set(world.state.resources.flatMap(({ id }) => id ?? []));
      }
      expect(world.state.unknownFields.future).toEqual({ of: ["the", "state"] });
      expectOk(await world.destroy());
      expect(world.state.resources).toEqual([]);
      expect(world.names).toEqual([]);
      expect(world.breaches).toEqual([]);
    }),
    { numRuns: settings.numRuns + 3, examples: Object.values(found) },
  );
});

test("failures, answers that are lost, runs that go on, and few places: nothing is lost or made twice, and the next run puts things right", async () => {
  const call = fc.tuple(fc.constantFrom("create", "update", "delete"), fc.nat(8)).map(([op, i]) => `${op} r${i}`);
  const scene = fc.record({
    failing: fc.array(call, { maxLength: 4 }),
    unanswered: fc.oneof(fc.constant([]), fc.array(call, { maxLength: 4 })),
    continueOnError: fc.boolean(),
    parallel: fc.constantFrom(1, 2, 4),
  });
  const some = () => programs();
  await fc.assert(
    fc.asyncProperty(some(), some(), scene, async (first, second, { failing, unanswered, ...options }) => {
      const world = new World();
      world.adopts = unanswered.length > 0;
      expectOk(await world.up(first));
      world.failing = new Set(failing);
      world.unanswered = new Set(unanswered);
      await world.up(second, options);
      if (unanswered.length === 0) {
        // Every object is in the state, and every resource of the state exists, except for those to be recreated.
        const managed = world.state.resources.filter((r) => r.custom && r.id?.startsWith("r") && !r.pendingReplacement);
        const kept = [...world.objects.keys()].filter((id) => !world.retained.has(id));
        expect(managed.map((r) => r.id).sort()).toEqual(kept.sort());
        expect(world.state.pendingOperations).toEqual([]);
      }
      world.failing.clear();
      world.unanswered.clear();
      expectOk(await world.up(second, options));
      expect(world.forgotten).toEqual([]);
      await expectLife(world, second);
    }),
    { numRuns: 2 * settings.numRuns },
  );
});

test("protection: what it stops stops in the preview, too; nothing protected goes, and without it all is done", async () => {
  await fc.assert(
    fc.asyncProperty(programs({ protect: true }), programs({ protect: true }), async (first, second) => {
      const world = new World();
      expectOk(await world.up(first));
      // A resource without protection in the second program may be replaced, and then is no longer protected.
      const free = second.filter((w) => !w.protect).flatMap((w) => [w.name, w.alias]);
      const guarded = world.state.resources
        .filter((r) => r.protect && r.custom && !free.includes(nameOf(r.urn)))
        .map((r) => r.id as string);
      const plan = await world.preview(second);
      const done = await world.up(second);
      expect(done.ok, done.said.join("\n")).toBe(plan.ok);
      for (const id of guarded) expect([...world.objects.keys()]).toContain(id);
      expect(world.forgotten).toEqual([]);
      world.edit((file) => {
        for (const r of file.resources ?? []) delete r.protect;
      });
      await expectLife(
        world,
        second.map(({ protect: _protect, ...wish }) => wish),
      );
    }),
    settings,
  );
});

/** A resource that is deleted with a target is recreated, and then has another container. */
const passedOn: [Wish[], Wish[]] = [
  [one("r0"), one("r1"), one("r2", { belongsTo: "r0", deletedWithOwner: false })],
  [
    one("r0", { kind: 1, deleteBeforeReplace: true }),
    one("r1", { belongsTo: "r0", deletedWithOwner: false }),
    one("r2", { belongsTo: "r1", deletedWithOwner: true }),
  ],
];

test("targets and excludes: the preview says what is done, and the rest is done by a run without them", async () => {
  const options = fc.record({
    which: fc.constantFrom("targets" as const, "excludes" as const, "replaces" as const),
    names: fc.uniqueArray(fc.nat(8), { minLength: 1, maxLength: 3 }),
    targetDependents: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(programs(), programs(), options, async (first, second, { which, names: indices, ...rest }) => {
      const world = new World();
      expectOk(await world.up(first));
      const constraints = {
        [which]: indices.flatMap((i) => [`**::r${i}`, `**::r${i}x`]),
        ...(which === "targets" && rest),
      };
      const plan = await world.preview(second, constraints);
      const done = await world.up(second, constraints);
      expect(done.ok, done.said.join("\n")).toBe(plan.ok);
      if (done.ok) expect(done.steps).toEqual(plan.steps);
      expect(world.forgotten).toEqual([]);
      await expectLife(world, second);
    }),
    { ...settings, examples: [[...passedOn, { which: "targets", names: [0], targetDependents: false }]] },
  );
});
