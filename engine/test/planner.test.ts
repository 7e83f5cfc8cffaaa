import { expect, test } from "vitest";
import { deleteFromState, renameInState } from "../state/edit-state";
import { expectOk, type Wish, World } from "./world";

const urn = (name: string): string => `urn:pulumi:s::p::pulumi-nodejs:dynamic/test:Thing::${name}`;

test("creates, updates, replaces and deletes what the program says", async () => {
  const world = new World();
  const both = (a: Partial<Wish>): Wish[] => [
    { name: "a", ...a },
    { name: "b", uses: "a" },
  ];
  expect((await world.up(both({ value: 1 }))).steps).toEqual(["create a", "create b", "create p-s"]);
  expect((await world.up(both({ value: 1 }))).changes).toEqual({ same: 3 });
  expect(world.writes).toBe(1);
  expect((await world.up(both({ value: 2 }))).steps).toEqual(["update a", "update b"]);
  const replaced = await world.up(both({ value: 2, kind: 1 }));
  expect(replaced.steps).toEqual(["create-replacement a", "delete-replaced a", "replace a", "update b"]);
  expect(world.calls).toEqual(["create a", "update b", "delete a"]);
  expect((await world.up([{ name: "b" }])).steps).toEqual(["delete a", "update b"]);
  expectOk(await world.destroy());
  expect(world.state.resources).toEqual([]);
  expect(world.objects.size).toBe(0);
});

test.each(["deleting", "updating"] as const)(
  "what a killed run was %s is looked at, also after runs that left it out",
  async (type) => {
    const world = new World();
    await world.up([{ name: "a" }, { name: "b" }]);
    world.interrupt(type, "a");
    world.objects.delete("a-1");
    const changed: Wish[] = [{ name: "a" }, { name: "b", value: 2 }];
    await world.up(changed, { targets: [urn("b")] });
    await world.up(changed, { excludes: [urn("a")] });
    await world.refresh({ targets: [urn("b")] });
    await world.destroy({ excludes: [urn("a")] });
    expect(world.state.pendingOperations).toMatchObject([{ type, resource: { urn: urn("a") } }]);
    // An object that may no longer exist is not updated, whatever the program now declares.
    const wanted = type === "deleting" ? [{ name: "a", value: 3 }, changed[1]!] : changed;
    expect((await world.up(wanted)).steps).toEqual(["create a", "create b", "refresh a"]);
    expect(world.names).toEqual(["a", "b"]);
    expect(world.state.pendingOperations).toEqual([]);
  },
);

test("targets: only what is asked for, and an error for what it lacks", async () => {
  const world = new World();
  const both = (a: number, b: number): Wish[] => [
    { name: "a", value: a },
    { name: "b", value: b },
  ];
  await world.up(both(1, 1));
  expect((await world.up(both(2, 2), { targets: [urn("a")] })).steps).toEqual(["update a"]);
  expect((await world.up(both(3, 2), { excludes: [urn("a")] })).steps).toEqual(["update b"]);
  const lacking = await world.up([{ name: "n" }, { name: "b", uses: "n", value: 2 }], { targets: [urn("b")] });
  expect([lacking.ok, lacking.said.join()]).toEqual([false, expect.stringContaining(`--target ${urn("n")}`)]);
  // Nothing is read either: with a misspelt exclusion, the intended resource would be included.
  for (const choice of [{ targets: [urn("stranger")] }, { excludes: [urn("stranger")] }])
    for (const run of [() => world.up([], choice), () => world.refresh(choice), () => world.destroy(choice)]) {
      const slip = await run();
      expect([slip.ok, slip.said.join(), world.calls]).toEqual([false, expect.stringContaining("stranger"), []]);
    }
  expect((await world.up(both(2, 2), { replaces: [urn("b")] })).steps).toContain("replace b");
});

test("goes on with what does not depend on what failed, if asked to", async () => {
  const world = new World();
  world.failing.add("create a");
  const program = [{ name: "a" }, { name: "b", uses: "a" }, { name: "c" }, { name: "d", uses: "c" }];
  expect((await world.up(program, { continueOnError: true })).ok).toBe(false);
  expect(world.names).toEqual(["c", "d"]);
});

test("options that change alone are reported, and are no change", async () => {
  const world = new World();
  await world.up([{ name: "a" }, { name: "b" }]);
  const ran = await world.up([
    { name: "a", protect: true, ignoreChanges: ["value"] },
    { name: "c", key: "b", alias: "b" },
  ]);
  expect(ran.changes).toEqual({ same: 3 });
  const diffs = world.events.flatMap((e) =>
    e.type === "step" && e.step.options ? [[e.step.name, e.step.options]] : [],
  );
  expect(Object.fromEntries(diffs)).toEqual({
    a: [
      { path: "protect", kind: "update", replaces: false, before: false, after: true },
      { path: "ignoreChanges", kind: "add", replaces: false, after: ["value"] },
    ],
    c: [{ path: "urn", kind: "update", replaces: false, before: urn("b"), after: urn("c") }],
  });
});

test("nothing is written that refers to what is excluded and does not exist yet", async () => {
  const world = new World();
  const program: Wish[] = [{ name: "a" }, { name: "group", component: true, dependsOn: ["a"] }];
  const { ok, said } = await world.up(program, { excludes: [urn("a")] });
  const why = /depends on .*::a, which does not exist yet and is excluded: .*--exclude-dependents/;
  expect([ok, said.join()]).toEqual([false, expect.stringMatching(why)]);
  expectOk(await world.up(program));
});

test("what a refresh of some finds to be gone is no reason to refuse what needs it", async () => {
  const program: Wish[] = [{ name: "a" }, { name: "b", uses: "a" }, { name: "c", dependsOn: ["a"] }];
  for (const some of [{ targets: [urn("a")] }, { excludes: [urn("b"), urn("c")] }]) {
    const world = new World();
    await world.up(program);
    world.objects.delete("a-1");
    expectOk(await world.refresh(some, program));
    expect((await world.up(program)).steps).toContain("create a");
  }
});

test("what is no target stays behind what it referred to, in whatever order the program has them now", async () => {
  const before: Wish[] = [
    { name: "a", value: 1 },
    { name: "b", uses: "a" },
  ];
  const after: Wish[] = [{ name: "a", value: 2 }, { name: "b" }];
  for (const program of [after, after.toReversed()]) {
    const world = new World();
    await world.up(before);
    expect(expectOk(await world.up(program, { targets: [urn("a")] })).steps).toEqual(["update a"]);
    expect((await world.up(program)).changes).toEqual({ same: 2, update: 1 });
  }
});

test("an old version that waits for its deletion is no reason to make the present one again", async () => {
  const world = new World();
  await world.up([
    { name: "a", kind: 1 },
    { name: "b", belongsTo: "a" },
  ]);
  world.failing.add("delete b");
  expect((await world.up([{ name: "a", kind: 1 }, { name: "b" }])).ok).toBe(false);
  world.failing.clear();
  expectOk(await world.up([{ name: "a", kind: 2, deleteBeforeReplace: true }, { name: "b" }]));
  expect(world.names).toEqual(["a", "b"]);
});

test("hundreds of resources, deep and wide", async () => {
  for (const shape of ["deep", "wide"] as const) {
    const world = new World();
    const program: Wish[] = Array.from({ length: 300 }, (_, i) => ({
      name: `r${i}`,
      value: 1,
      ...(shape === "deep" && i > 0 && { uses: `r${i - 1}` }),
    }));
    expect((await world.up(program)).changes).toEqual({ create: 301 });
    expect((await world.up(program)).changes).toEqual({ same: 301 });
    expect((await world.destroy()).changes).toEqual({ delete: 301 });
    expect(world.objects.size).toBe(0);
  }
});

test("what is looked at since a killed run was changing it is not deleted as the dependent of what is replaced later", async () => {
  const world = new World();
  await world.up([{ name: "slow" }, { name: "a", kind: 1 }, { name: "b", belongsTo: "a" }]);
  world.interrupt("updating", "b");
  expectOk(
    await world.up([
      { name: "b", alias: "b", ignoreChanges: ["owner"] },
      { name: "slow", value: 1 },
      { name: "a", kind: 2, deleteBeforeReplace: true },
    ]),
  );
  expect(world.names).toEqual(["a", "b", "slow"]);
});

test("what is deleted with another is deleted by itself when that one stays", async () => {
  const inside: Wish = { name: "b", belongsTo: "a", deletedWithOwner: true };
  // The resource is protected, or one of its children.
  for (const program of [
    [{ name: "a", protect: true }, inside],
    [{ name: "a" }, inside, { name: "c", parent: "a", protect: true }],
  ]) {
    const guarded = new World();
    await guarded.up(program);
    expect((await guarded.destroy()).ok).toBe(false);
    expect(guarded.calls).toEqual(["delete b"]);
    expect(guarded.names).not.toContain("b");
  }

  // Only the old version of the container is deleted, and the resource is in the new one.
  const replaced = new World();
  await replaced.up([{ name: "a", kind: 1 }, inside]);
  replaced.failing.add("delete a");
  expect((await replaced.up([{ name: "a", kind: 2 }, inside])).ok).toBe(false);
  replaced.failing.clear();
  expect((await replaced.up([{ name: "a", kind: 2 }])).ok).toBe(true);
  expect(replaced.names).toEqual(["a"]);
});

test("what is deleted with another stays in the state when that deletion is refused, and goes with it in one write", async () => {
  const group: Wish = { name: "g", component: true };
  const program: Wish[] = [
    { name: "needed" },
    group,
    { name: "a", parent: "g" },
    { name: "b", parent: "g", belongsTo: "a", deletedWithOwner: true, dependsOn: ["needed"] },
    { name: "c", belongsTo: "b", deletedWithOwner: true },
  ];
  const isComplete = (world: World) =>
    expect(world.state.resources.filter((r) => r.id?.match(/^[abcn]/))).toHaveLength(4);
  for (const [verb, continueOnError] of [
    ["destroy", false],
    ["destroy", true],
    ["up", false],
  ] as const) {
    const world = new World();
    await world.up(program);
    world.failing.add("delete a");
    const ran = verb === "up" ? await world.up([], {}) : await world.destroy({ continueOnError });
    expect([ran.ok, ran.steps, world.forgotten]).toEqual([false, [], []]);
    isComplete(world);
    // Its dependency is deleted after it, so that call is not tried.
    expect(world.calls).toEqual(["delete a"]);
    world.failing.clear();
    expect(expectOk(await world.destroy()).changes).toMatchObject({ delete: 6 });
    expect(world.calls).toEqual(["delete a", "delete needed"]);
    expect(world.names).toEqual([]);
  }
});

test("an update under a new name that is killed is looked at under the old one, too", async () => {
  const world = new World();
  const first: Wish[] = [{ name: "a", value: 1 }];
  await world.up(first);
  // Before and after the write of its announcement, and before and after the call.
  world.dyingAt = 4;
  await world.up([{ name: "b", key: "a", alias: "a", value: 2 }]);
  world.dyingAt = 0;
  expect(world.objects.get("a-1")?.value).toBe(2);
  expect((await world.up(first)).steps).toEqual(["refresh a", "update a"]);
  expect(world.objects.get("a-1")?.value).toBe(1);
  expect(world.state.pendingOperations).toEqual([]);
  // As the CLI records it.
  world.edit((file) => {
    file.pending_operations = [{ type: "updating", resource: { ...file.resources?.at(-1), urn: urn("b") } }];
  });
  expect((await world.up([{ name: "b", key: "a", alias: "a", value: 1 }])).steps).toEqual(["refresh a"]);
});

test("what was being done to something goes with its name, and is no question when the state does not have it any more", async () => {
  const world = new World();
  await world.up([{ name: "a" }, { name: "b" }]);
  world.interrupt("updating", "b");
  const edited = world.state;
  renameInState(edited, urn("b"), "c");
  expect(edited.pendingOperations.map((p) => p.resource.urn)).toEqual([urn("c")]);
  deleteFromState(edited, urn("c"));
  expect(edited.pendingOperations).toEqual([]);
  // Edited outside the engine.
  world.edit((file) => file.resources?.splice(-1));
  await world.up([{ name: "a" }]);
  expect(world.state.pendingOperations).toEqual([]);
});

test("a destruction with a program that has something new destroys what is to depend on that, too", async () => {
  const world = new World();
  await world.up([{ name: "a" }, { name: "group", component: true }]);
  const program: Wish[] = [
    { name: "new" },
    { name: "a", uses: "new" },
    { name: "group", component: true, dependsOn: ["new"] },
  ];
  expectOk(await world.destroy({}, program));
  expect(world.state.resources).toEqual([]);
  expect(world.objects.size).toBe(0);
});

test("a refresh with a program leaves what the program lacks where it was, whatever is read first", async () => {
  const world = new World();
  const program: Wish[] = [{ name: "a" }, { name: "group", component: true, parent: "a" }];
  await world.up(program);
  expectOk(await world.refresh({}, []));
  expect(world.resource("group")?.parent).toBe(urn("a"));
  expect(world.resource("a")?.id).toBeDefined();
});

test("a refresh with such a program that is broken off keeps what it found", async () => {
  const world = new World();
  await world.up([{ name: "a", value: 1 }, { name: "b" }]);
  world.objects.set("a-1", { name: "a", value: 2 });
  world.failing.add("read b");
  const ran = await world.refresh({}, [
    { name: "new" },
    { name: "a", value: 1, dependsOn: ["new"] },
    { name: "b", uses: "a" },
  ]);
  expect(ran.said).toEqual(["read b failed"]);
  expect(world.resource("a")?.outputs?.value).toBe(2);
});

test("what is looked at first stays as the state has it until the program's wish is done", async () => {
  const world = new World();
  await world.up([{ name: "a" }, { name: "b", dependsOn: ["a"] }]);
  world.interrupt("updating", "b");
  // The resource now depends on an excluded one, and its old dependency registers later.
  const refused = await world.up([{ name: "new" }, { name: "b", dependsOn: ["new"] }, { name: "a", value: 1 }], {
    targets: [urn("b"), urn("a")],
  });
  expect(refused.said).toEqual([expect.stringContaining(`--target ${urn("new")}`)]);
  expect(world.state.resources.at(-1)?.dependencies).toEqual([urn("a")]);
});

test("nothing is made in what failed under its old name, when the run goes on", async () => {
  const world = new World();
  await world.up([{ name: "a" }]);
  world.failing.add("delete a");
  const renamed: Wish[] = [
    { name: "b", key: "a", alias: "a", kind: 1, deleteBeforeReplace: true },
    { name: "c", parent: "b" },
  ];
  const ran = await world.up(renamed, { continueOnError: true });
  expect(ran.said).toEqual(["delete a failed"]);
  expect([...world.objects.keys()]).toEqual(["a-1"]);
});

test("an old version under an old name, in something that was renamed, too, is deleted whatever comes first", async () => {
  const world = new World();
  const first: Wish[] = [
    { name: "a", alias: "b", key: "a", deleteBeforeReplace: true },
    { name: "c", alias: "d", key: "c", parent: "a", belongsTo: "a" },
    { name: "e", parent: "c" },
  ];
  await world.up(first);
  world.failing.add("delete e");
  const second: Wish[] = [
    { name: "b", alias: "a", key: "a", kind: 1 },
    { name: "d", alias: "c", key: "c", parent: "b" },
  ];
  expect((await world.up(second)).ok).toBe(false);
  world.failing.clear();
  const back = await world.up(first);
  expect(back.ok, back.said.join("\n")).toBe(true);
  expect(world.names).toEqual(["a", "c", "e"]);
});

test("a destruction with a program goes by what refers to what, also under old names, and keeps what something protected needs", async () => {
  const world = new World();
  const inside: Wish = { name: "b", parent: "a" };
  await world.up([{ name: "a" }, inside]);
  expectOk(await world.destroy({ parallel: 1 }, [{ name: "c", key: "a", alias: "a" }]));
  expect(world.calls).toEqual(["delete b", "delete a"]);
  expect(world.state.resources).toEqual([]);

  await world.up([{ name: "a" }, { ...inside, protect: true }]);
  const guarded = await world.destroy({}, [{ name: "a" }]);
  expect(guarded.said).toEqual([expect.stringMatching(/protected.*`state rename` keeps it$/)]);
  expect(world.names).toEqual(["a", "b"]);
});

test("what cannot be looked at in a preview is not gone", async () => {
  const world = new World();
  await world.up([{ name: "a" }]);
  world.interrupt("updating", "a");
  world.configured = false;
  const plan = await world.preview([{ name: "a" }]);
  expect(plan.steps).toEqual(["refresh a", "update a"]);
  expect(plan.said).toEqual([expect.stringContaining("not known before they are made")]);
});
