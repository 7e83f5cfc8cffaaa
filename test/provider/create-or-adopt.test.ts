/** Searches for lost answers in lists of any order, while others create and delete. In memory: only the method is tested. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Clock } from "../../provider/core/clock";
import type { CreateRequest } from "../../provider/core/object-list";
import { longestWait } from "../../provider/objects/find-lost-create";
import { ObjectStore } from "../../provider/objects/object-store";
import { NoResponseError } from "../../sdk";
import { cases, fc, times } from "../chance";
import { fastClock } from "./fast-clock";

/** Waits by the timers that the tests turn. */
const fakeClock: Clock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => globalThis.setTimeout(resolve, ms)),
};

interface Item {
  id: string;
  text: string;
}

/** A service whose list is in some order and whose answers get lost. */
class Memory {
  items: Item[] = [];
  reads = 0;
  #last = 0;

  constructor(
    readonly order: "oldest first" | "newest first",
    readonly isLost: () => boolean,
  ) {}

  add(text: string): Item {
    const n = ++this.#last;
    const item = { id: String(n), text };
    if (this.order === "oldest first") this.items.push(item);
    else this.items.unshift(item);
    return item;
  }

  post(text: string): Item {
    const item = this.add(text);
    if (this.isLost()) throw new NoResponseError("no answer", {}, true);
    return item;
  }

  collection(): ObjectStore<Item> {
    const memory = this;
    return new ObjectStore<Item>(
      {
        async *list(from) {
          memory.reads++;
          yield* memory.items.slice(from - 1);
        },
        one: async (id) => memory.items.find((item) => item.id === id),
        isComplete: true,
        idOf: ({ id }) => id,
      },
      { registrationsSettled: async () => {}, clock: fastClock },
    );
  }
}

const wanted = (
  text: string,
  post: (text: string) => Promise<Item>,
  onExisting: CreateRequest<Item>["onExisting"] = "create",
): CreateRequest<Item> => ({
  onExisting,
  match: (item) => (item.text === text ? "same" : "different"),
  matchNew: (item) => item.text === text,
  post: () => post(text),
  isAlreadyExistsError: () => false,
});

const create = (collection: ObjectStore<Item>, memory: Memory, text: string) =>
  collection.creator.createOrAdopt(
    wanted(text, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return memory.post(text);
    }),
  );

/** A world with a list in some order that lags behind, other people, and answers that get lost, before the commit or after it. */
interface World {
  order: "oldest first" | "newest first" | "shuffled" | "by name";
  hasCountedIds: boolean;
  existing: number;
  /** Creations, and how many of them at a time; twins are equal. */
  creations: number;
  width: number;
  areTwins: boolean;
  lag: number;
  lost: number;
  unsent: number;
  hasOthers: boolean;
}

/** Numbers from 0 to 1, always the same for the same seed. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Makes things in it, and answers what is left that nobody knows of, or that two took for theirs. */
async function work(world: World, chance: () => number): Promise<string[]> {
  const wait = (ms: number) => new Promise((resolve) => globalThis.setTimeout(resolve, ms * chance()));
  let items: (Item & { shown: number; place: number })[] = [];
  let last = 0;
  let shown = 0;
  // A list that lags behind shows writes in their order: a later one is proof of the earlier ones.
  const add = (text: string, lag: number) => {
    const id = String(world.hasCountedIds ? ++last : (++last * 7919) % 100_003);
    shown = Math.max(shown, performance.now() + lag * (0.5 + chance() / 2));
    const item = { id, text, shown, place: chance() };
    items.push(item);
    return item;
  };
  const gone = (item: Item | undefined) => {
    items = items.filter((each) => each !== item);
  };
  const list = () => {
    const shown = items.filter((item) => item.shown <= performance.now());
    if (world.order === "newest first") return shown.reverse();
    if (world.order === "by name") return shown.sort((a, b) => (a.text < b.text ? -1 : 1));
    return world.order === "shuffled" ? shown.sort((a, b) => a.place - b.place) : shown;
  };
  for (let i = 0; i < world.existing; i++) add(`${i % 2 ? "a" : "z"} old ${i}`, 0);
  const before = [...items];
  const collection = new ObjectStore<Item>(
    {
      async *list(from) {
        await wait(50);
        yield* list().slice(from - 1);
      },
      one: async (id) => items.find((item) => item.id === id),
      isComplete: true,
      idOf: ({ id }) => id,
    },
    { registrationsSettled: async () => {}, clock: fakeClock },
  );
  const post = async (text: string) => {
    await wait(60);
    if (chance() < world.unsent) throw new NoResponseError("no answer", {}, true);
    const [item, isLost] = [add(text, world.lag), chance() < world.lost];
    await wait(60);
    if (isLost) throw new NoResponseError("no answer", {}, true);
    return item;
  };
  let isBusy = true;
  const others = (async () => {
    while (isBusy && world.hasOthers) {
      await wait(400);
      if (chance() < 0.6) add(`${chance() < 0.5 ? "b" : "y"} other`, world.lag);
      else gone(items.find(({ text }) => !text.startsWith("m")));
    }
  })();
  const made: Item[] = [];
  let unsent = 0;
  const texts = Array.from({ length: world.creations }, (_, i) => `m new ${world.areTwins ? i % 3 : (i * 7) % 31}`);
  const creator = async () => {
    for (let text = texts.shift(); text !== undefined; text = texts.shift()) {
      await collection.creator.createOrAdopt(wanted(text, post, world.areTwins ? "create" : "adopt")).then(
        ({ item }) => made.push(item),
        () => unsent++,
      );
      const old = chance() < 0.1 ? before.pop() : undefined;
      gone(old);
      if (old !== undefined) collection.removed(old.id);
    }
  };
  await Promise.all(Array.from({ length: world.width }, creator));
  isBusy = false;
  await others;
  if (world.unsent === 0) expect(unsent).toBe(0);
  const ids = made.map(({ id }) => id);
  const ours = items.filter(({ text }) => text.startsWith("m")).map(({ id }) => id);
  return [
    ...ours.filter((id) => !ids.includes(id)),
    ...ids.filter((id, i) => !ours.includes(id) || ids.indexOf(id) < i),
  ];
}

describe("exactly one object for each creation", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  it.each(["oldest first", "newest first", "shuffled", "by name"] as const)(
    "in a list that is %s, whatever is lost, late, equal or somebody else's",
    { timeout: 120_000 * times },
    async (order) => {
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            order: fc.constant(order),
            hasCountedIds: fc.boolean(),
            existing: fc.constantFrom(0, 1, 5, 60),
            creations: fc.constantFrom(3, 10, 30),
            width: fc.constantFrom(1, 3, 8),
            areTwins: fc.boolean(),
            lag: fc.constantFrom(0, 0, 300, 2000, 8000),
            lost: fc.constantFrom(0.1, 0.3, 0.7),
            unsent: fc.constantFrom(0, 0, 0.2),
            hasOthers: fc.boolean(),
          }),
          fc.integer(),
          async (world, seed) => {
            let left: string[] | undefined;
            const working = work(world, chances(seed)).then((found) => {
              left = found;
            });
            while (left === undefined) await Promise.race([working, vi.advanceTimersByTimeAsync(50)]);
            expect(left).toEqual([]);
          },
        ),
        { numRuns: cases(150), interruptAfterTimeLimit: 20_000 * times },
      );
    },
  );
});

describe("a request whose response was lost before the commit", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  /** Creates that take 20 ms each, of which some are refused by a gateway, and how long each took, in milliseconds. */
  async function timesOf(texts: string[], isLost: (n: number) => boolean, lag = 0): Promise<number[]> {
    const items: (Item & { shown: number })[] = [];
    let sent = 0;
    const collection = new ObjectStore<Item>(
      {
        async *list(from) {
          yield* items.filter(({ shown }) => shown <= performance.now()).slice(from - 1);
        },
        one: async (id) => items.find((item) => item.id === id),
        isComplete: true,
        idOf: ({ id }) => id,
      },
      { registrationsSettled: async () => {}, clock: fakeClock },
    );
    const post = async (text: string) => {
      const n = ++sent;
      await fakeClock.sleep(20);
      if (isLost(n)) throw new NoResponseError("503", {}, true);
      const item = { id: String(n), text, shown: performance.now() + lag };
      items.push(item);
      return item;
    };
    const all = Promise.all(
      texts.map(async (text) => {
        const begin = performance.now();
        await collection.creator.createOrAdopt(wanted(text, post));
        return performance.now() - begin;
      }),
    );
    let times: number[] | undefined;
    void all.then((each) => {
      times = each;
    });
    while (times === undefined) await vi.advanceTimersByTimeAsync(10);
    expect(items.map(({ text }) => text).sort()).toEqual([...texts].sort());
    return times;
  }

  it("is sent again as soon as the list shows a later write", async () => {
    const others = timesOf(["a", "b", "c"], (n) => n === 1);
    expect(Math.max(...(await others))).toBeLessThan(700);
  });

  it("is sent again after twice the time in which the list has shown other writes", async () => {
    expect(Math.max(...(await timesOf(["a", "b"], (n) => n === 2)))).toBeLessThan(700);
    const [, late] = await timesOf(["a", "b"], (n) => n === 2, 1500);
    expect(late).toBeGreaterThan(3000);
    expect(late).toBeLessThan(6500);
  });

  it("is sent again after the longest wait when the list has shown nothing", async () => {
    const [alone] = await timesOf(["a"], (n) => n === 1);
    expect(alone).toBeGreaterThan(longestWait);
    expect(alone).toBeLessThan(longestWait + 200);
  });
});

it.concurrent.each(["oldest first", "newest first"] as const)(
  "one reading of the list, with the %s, serves many lost responses",
  async (order) => {
    let n = 0;
    const memory = new Memory(order, () => ++n % 3 === 0);
    for (let i = 0; i < 100; i++) memory.add(`old ${i}`);
    const collection = memory.collection();
    const queue = Array.from({ length: 180 }, (_, i) => `new ${i}`);
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let text = queue.shift(); text !== undefined; text = queue.shift()) await create(collection, memory, text);
      }),
    );
    expect(memory.items).toHaveLength(280);
    expect(memory.reads).toBeLessThan(30);
  },
);
