/** A state that cannot be written for a moment: the run fails with a message, and the next run continues. */
import { expect, test } from "vitest";
import { type Wish, World } from "./world";

const program = Array.from({ length: 12 }, (_, i): Wish => ({ name: `r${i}`, value: 1 }));

test.each([1, 2])("at write %i", async (n) => {
  const world = new World();
  world.failingWrite = n;
  const { ok, said } = await world.up(program);
  expect(ok).toBe(false);
  expect(said.filter((line) => line.includes("the disk is full"))).toHaveLength(1);
  expect(world.objects.size).toBeLessThan(program.length);
  // Announced operations that did not start are removed; the last write records the created objects.
  expect(world.state.pendingOperations).toEqual([]);
  expect(world.state.resources.filter(({ id }) => world.objects.has(id ?? ""))).toHaveLength(world.objects.size);
  world.failingWrite = 0;
  expect((await world.up(program)).ok).toBe(true);
  expect(world.objects.size).toBe(program.length);
});

test("at any write of a single creation, and at the last one of a run without changes", async () => {
  const one = program.slice(0, 1);
  for (let n = 1, isHit = true; isHit; n++) {
    const world = new World();
    world.failingWrite = n;
    const { ok } = await world.up(one);
    isHit = !ok;
    expect(world.state.resources.filter(({ id }) => world.objects.has(id ?? ""))).toHaveLength(world.objects.size);
  }
  const world = new World();
  await world.up(one);
  world.failingWrite = 1;
  expect(await world.up(one)).toMatchObject({ ok: false, saved: false });
});

test("for good: what the file lacks is said, and a copy of the state goes elsewhere", async () => {
  const world = new World();
  world.failingWrite = 2;
  world.isFull = true;
  const { ok, said } = await world.up(program);
  expect(ok).toBe(false);
  const text = said.join("\n");
  expect(world.objects.size).toBeGreaterThan(0);
  for (const id of world.objects.keys()) expect(text).toContain(`(id ${id})`);
  expect(text).toMatch(/whole state was saved to \/elsewhere.*move that file to \/state\.json/);
  expect(world.rescued?.resources.filter(({ id }) => world.objects.has(id ?? ""))).toHaveLength(world.objects.size);
});
