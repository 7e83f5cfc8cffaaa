import { EventEmitter, once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { mapConcurrently } from "../../account-folder/map-concurrently";

it("has the results in the order of the items, and never more in progress than allowed", async () => {
  const items = fc.array(fc.record({ value: fc.integer(), delay: fc.nat(3) }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(items, fc.integer({ min: 1, max: 5 }), async (list, concurrency) => {
      let running = 0;
      let most = 0;
      const results = await mapConcurrently(list, concurrency, async ({ value, delay }) => {
        most = Math.max(most, ++running);
        await wait(delay);
        running--;
        return value;
      });
      expect(results).toEqual(list.map(({ value }) => value));
      expect(most).toBe(Math.min(concurrency, list.length));
    }),
    { numRuns: 30 },
  );
});

it("begins nothing after a failure, and throws it when all in progress have ended", async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const failure = new EventEmitter();
  const work = async (item: number) => {
    begun.push(item);
    if (item === 1) throw new Error("refused");
    await once(failure, "noticed");
    ended.push(item);
  };
  const all = mapConcurrently([0, 1, 2, 3, 4, 5], 3, work);
  setImmediate(() => failure.emit("noticed"));
  await expect(all).rejects.toThrow("refused");
  expect(begun).toEqual([0, 1, 2]);
  expect(ended).toEqual([0, 2]);
});
