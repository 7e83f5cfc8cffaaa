/**
 * A run is killed or cancelled at a random moment, and others follow: with another program, with targets or exclusions, a refresh, or another
 * kill. No object is lost or created twice, and after the last run the service has exactly what its program declares.
 */
import { expect, test } from "vitest";
import { fc } from "../../test/chance";
import { names, programs, settings } from "./random";
import { expectOk, type Options, type Ran, type Wish, World } from "./world";

/** The runs between a killed run and the last one, which has to complete everything. */
const following: Record<string, (world: World, program: Wish[], urns: string[]) => Promise<unknown>> = {
  refresh: (world) => world.refresh(),
  "up --refresh": (world, program) => world.up(program, { refresh: true }),
  "refresh --run-program": (world, program) => world.refresh({}, program),
  "up --replace": (world, program, urns) => world.up(program, { replaces: urns }),
  preview: (world, program) => world.preview(program),
  "up --target": (world, program, urns) => world.up(program, { targets: urns }),
  "up --target-dependents": (world, program, urns) => world.up(program, { targets: urns, targetDependents: true }),
  "up --exclude": (world, program, urns) => world.up(program, { excludes: urns }),
};

test("after a kill nothing is lost or made twice, whatever comes between", async () => {
  const between = fc.record({
    verb: fc.constantFrom("killed up", ...Object.keys(following)),
    names: fc.uniqueArray(fc.nat(8), { minLength: 1, maxLength: 3 }),
    ofFirst: fc.boolean(),
    at: fc.integer({ min: 1, max: 20 }),
  });
  const scene = fc.record({
    verb: fc.constantFrom("up" as const, "up" as const, "destroy" as const, "refresh" as const),
    at: fc.integer({ min: 1, max: 60 }),
    others: fc.array(between, { maxLength: 2 }),
    ofFirst: fc.boolean(),
  });
  const some = () => programs();
  await fc.assert(
    fc.asyncProperty(some(), some(), scene, async (first, second, { verb, at, others, ofFirst }) => {
      const world = new World();
      world.adopts = true;
      expectOk(await world.up(first));
      const before = new Set(world.objects.keys());
      world.dyingAt = at;
      await (verb === "up" ? world.up(second) : world[verb]());
      for (const next of others) {
        const program = next.ofFirst ? first : second;
        world.dyingAt = next.verb === "killed up" ? next.at : 0;
        const urns = next.names.flatMap((i) => [`**::r${i}`, `**::r${i}x`]);
        await (following[next.verb] ?? following["up --refresh"])?.(world, program, urns);
      }
      world.dyingAt = 0;

      const program = ofFirst ? first : second;
      const plan = await world.preview(program);
      const last = expectOk(await world.up(program));
      expect({ steps: last.steps, changes: last.changes }).toEqual({ steps: plan.steps, changes: plan.changes });
      const objects = world.state.resources.filter((r) => r.id !== undefined && r.inputs?.name !== undefined);
      expect(objects.map((r) => String(r.inputs?.name)).sort()).toEqual(names(program));
      for (const r of objects) expect([...world.objects.keys()]).toContain(r.id);
      for (const wish of program.filter((w) => !w.component && !w.ignoreChanges)) {
        const id = objects.find((r) => r.inputs?.name === wish.key)?.id;
        expect(world.objects.get(id as string)?.value, wish.name).toBe(wish.value);
      }
      // An object of a killed run is adopted by a run with the same inputs, and is unmanaged otherwise.
      const sameWish = verb === "up" && !ofFirst && others.every((next) => !next.ofFirst);
      expect(world.forgotten.filter((id) => sameWish || before.has(id))).toEqual([]);
      expect(world.state.pendingOperations.filter((p) => p.type !== "creating")).toEqual([]);
      const again = await world.up(program);
      expect(Object.keys(again.changes).filter((op) => op !== "same")).toEqual([]);
      const unowned = world.forgotten;
      expectOk(await world.destroy());
      // The service may have deleted some of them with their container.
      expect(unowned).toEqual(expect.arrayContaining(world.forgotten));
      expect(world.breaches).toEqual([]);
    }),
    settings,
  );
});

test("after Ctrl-C the state has what there is, and nothing is in progress", async () => {
  const verbs: Record<string, (world: World, program: Wish[], o: Options) => Promise<Ran>> = {
    up: (world, program, o) => world.up(program, o),
    "up --refresh": (world, program, o) => world.up(program, { ...o, refresh: true }),
    refresh: (world, _program, o) => world.refresh(o),
    "refresh --run-program": (world, program, o) => world.refresh(o, program),
    destroy: (world, _program, o) => world.destroy(o),
    "destroy --run-program": (world, program, o) => world.destroy(o, program),
  };
  const scene = fc.record({
    verb: fc.constantFrom("up", ...Object.keys(verbs)),
    at: fc.integer({ min: 1, max: 50 }),
    parallel: fc.constantFrom(1, 2, 4),
    continueOnError: fc.boolean(),
  });
  // A stopped `refresh --run-program` records the option for resources that were created without it.
  const some = () => programs({ deletedWith: false });
  await fc.assert(
    fc.asyncProperty(some(), some(), scene, async (first, second, { verb, at, ...options }) => {
      const world = new World();
      await world.up(first);
      world.cancelledAt = at;
      const cancelled = await verbs[verb]?.(world, second, options);
      expect(cancelled?.said).toEqual([]);
      expect(world.state.pendingOperations).toEqual([]);
      expect(world.forgotten).toEqual([]);
      world.cancelledAt = 0;
      expectOk(await world.up(second, options));
      // The options in the program apply to a destroy that runs it.
      const other = first.map(({ retainOnDelete: _retained, ...wish }) => wish);
      expectOk(await world.destroy({}, other));
      expect(world.state.resources).toEqual([]);
      expect(world.forgotten).toEqual([]);
      expect(world.breaches).toEqual([]);
    }),
    settings,
  );
});
