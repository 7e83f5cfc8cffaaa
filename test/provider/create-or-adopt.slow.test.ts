/** Searches for lost answers in lists of any order, while others create and delete. In memory: only the method is tested. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Clock } from "../../provider/core/clock";
import type { CreateRequest, RecentObjectsHandle } from "../../provider/core/object-access";
import { ObjectStore } from "../../provider/objects/object-store";
import { NoResponseError } from "../../sdk";
import { longestLag } from "../../sdk/http/read-lag";
import { cases, fc, times } from "../chance";

// All waits go by timers that the tests turn.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const clock: Clock = {
  now: () => performance.now(),
  date: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => globalThis.setTimeout(resolve, ms)),
};

/** Of no run before. */
const nothingRecent: RecentObjectsHandle = {
  made: async () => new Map(),
  deleted: async () => [],
  record: async () => {},
  note: () => {},
  claim: async () => true,
};

/** What work resolves to, for which timers are turned until then. */
async function turning<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  void work.then(end, end);
  while (!isDone) await vi.advanceTimersByTimeAsync(50);
  return work;
}

interface Item {
  id: string;
  text: string;
  /** When the list has it, and where in a shuffled one. */
  shown: number;
  place: number;
}

const orders = {
  "oldest first": (items: Item[]) => items,
  "newest first": (items: Item[]) => items.reverse(),
  shuffled: (items: Item[]) => items.sort((a, b) => a.place - b.place),
  "by name": (items: Item[]) => items.sort((a, b) => (a.text < b.text ? -1 : 1)),
};
type Order = keyof typeof orders;

/** A service whose list is in some order and lags behind. */
class Service {
  items: Item[] = [];
  reads = 0;
  #last = 0;
  #shown = 0;

  constructor(
    readonly order: Order = "oldest first",
    readonly chance = () => 0,
    readonly hasCountedIds = true,
    readonly latency = 0,
  ) {}

  // A list that lags behind shows writes in their order: a later one is proof of the earlier ones.
  add(text: string, lag = 0): Item {
    const id = String(this.hasCountedIds ? ++this.#last : (++this.#last * 7919) % 100_003);
    this.#shown = Math.max(this.#shown, performance.now() + lag * (0.5 + this.chance() / 2));
    const item = { id, text, shown: this.#shown, place: this.chance() };
    this.items.push(item);
    return item;
  }

  delete(item: Item | undefined): void {
    this.items = this.items.filter((each) => each !== item);
  }

  wait(ms: number): Promise<void> {
    return clock.sleep(ms * this.chance());
  }

  async *list(from: number) {
    this.reads++;
    if (this.latency > 0) await this.wait(this.latency);
    yield* orders[this.order](this.items.filter(({ shown }) => shown <= performance.now())).slice(from - 1);
  }

  readonly store = new ObjectStore<Item>(
    {
      list: (from) => this.list(from),
      one: async (id) => this.items.find((item) => item.id === id),
      oneHasAllData: true,
      idOf: ({ id }) => id,
    },
    { registrations, clock },
    nothingRecent,
  );

  create(
    text: string,
    post: (text: string) => Promise<Item>,
    onExisting: CreateRequest<Item>["onExisting"] = "create",
  ) {
    return this.store.creator.createOrAdopt({
      name: text,
      onExisting,
      match: (item) => (item.text === text ? "same" : "different"),
      matchNew: (item) => item.text === text,
      settled: async () => {},
      post: () => post(text),
      isAlreadyExistsError: () => false,
    });
  }
}

const registrations = { settled: async () => {} };
const noAnswer = () => new NoResponseError("no answer", {}, true);

/** A world with a list in some order that lags behind, other people, and answers that get lost, before the commit or after it. */
interface World {
  order: Order;
  hasCountedIds: boolean;
  existing: number;
  /** Creations, and how many of them at a time; duplicates are equal. */
  creations: number;
  width: number;
  areDuplicates: boolean;
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

/** Makes things in it, and returns what is left without an owner, or with two. */
async function work(world: World, chance: () => number): Promise<string[]> {
  const service = new Service(world.order, chance, world.hasCountedIds, 50);
  for (let i = 0; i < world.existing; i++) service.add(`${i % 2 ? "a" : "z"} old ${i}`);
  const before = [...service.items];
  const post = async (text: string) => {
    await service.wait(60);
    if (chance() < world.unsent) throw noAnswer();
    const [item, isLost] = [service.add(text, world.lag), chance() < world.lost];
    await service.wait(60);
    if (isLost) throw noAnswer();
    return item;
  };
  let isBusy = true;
  const others = (async () => {
    while (isBusy && world.hasOthers) {
      await service.wait(400);
      if (chance() < 0.6) service.add(`${chance() < 0.5 ? "b" : "y"} other`, world.lag);
      else service.delete(service.items.find(({ text }) => !text.startsWith("m")));
    }
  })();
  const made: Item[] = [];
  let unsent = 0;
  const texts = Array.from(
    { length: world.creations },
    (_, i) => `m new ${world.areDuplicates ? i % 3 : (i * 7) % 31}`,
  );
  const creator = async () => {
    for (let text = texts.shift(); text !== undefined; text = texts.shift()) {
      await service.create(text, post, world.areDuplicates ? "create" : "adopt").then(
        ({ item }) => made.push(item),
        () => unsent++,
      );
      const old = chance() < 0.1 ? before.pop() : undefined;
      service.delete(old);
      if (old !== undefined) service.store.removed(old.id);
    }
  };
  await Promise.all(Array.from({ length: world.width }, creator));
  isBusy = false;
  await others;
  if (world.unsent === 0) expect(unsent).toBe(0);
  const ids = made.map(({ id }) => id);
  const ours = service.items.filter(({ text }) => text.startsWith("m")).map(({ id }) => id);
  return [
    ...ours.filter((id) => !ids.includes(id)),
    ...ids.filter((id, i) => !ours.includes(id) || ids.indexOf(id) < i),
  ];
}

it.each(Object.keys(orders) as Order[])(
  "there is exactly one object for each creation in a list that is %s, whatever is lost, late, equal or unmanaged",
  async (order) => {
    const world = fc.record({
      order: fc.constant(order),
      hasCountedIds: fc.boolean(),
      existing: fc.constantFrom(0, 1, 5, 60),
      creations: fc.constantFrom(3, 10, 30),
      width: fc.constantFrom(1, 3, 8),
      areDuplicates: fc.boolean(),
      lag: fc.constantFrom(0, 0, 300, 2000, 8000),
      lost: fc.constantFrom(0.1, 0.3, 0.7),
      unsent: fc.constantFrom(0, 0, 0.2),
      hasOthers: fc.boolean(),
    });
    const isExact = async (each: World, seed: number) => {
      expect(await turning(work(each, chances(seed)))).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(world, fc.integer(), isExact), {
      numRuns: cases(40),
      interruptAfterTimeLimit: 20_000 * times,
    });
  },
);

describe("a request whose response was lost before the commit", () => {
  /** How long creates that take 20 ms each took, in milliseconds, of which a gateway refuses the nth request. */
  async function timesOf(texts: string[], refused: number, lag = 0): Promise<number[]> {
    const service = new Service("oldest first", () => 1);
    let sent = 0;
    const post = async (text: string) => {
      const n = ++sent;
      await clock.sleep(20);
      if (n === refused) throw noAnswer();
      return service.add(text, lag);
    };
    const create = async (text: string) => {
      const begin = performance.now();
      await service.create(text, post);
      return performance.now() - begin;
    };
    const taken = await turning(Promise.all(texts.map(create)));
    expect(service.items.map(({ text }) => text).sort()).toEqual([...texts].sort());
    return taken;
  }

  it("is sent again as soon as the list shows a later write", async () => {
    expect(Math.max(...(await timesOf(["a", "b", "c"], 1)))).toBeLessThan(700);
  });

  it("is sent again after twice the time in which the list has shown other writes", async () => {
    expect(Math.max(...(await timesOf(["a", "b"], 2)))).toBeLessThan(700);
    const [, late] = await timesOf(["a", "b"], 2, 1500);
    expect(late).toBeGreaterThan(3000);
    expect(late).toBeLessThan(6500);
  });

  it("is sent again after the longest wait when the list has shown nothing", async () => {
    const [alone] = await timesOf(["a"], 1);
    expect(alone).toBeGreaterThan(longestLag);
    expect(alone).toBeLessThan(longestLag + 200);
  });
});

it.each(["oldest first", "newest first"] as const)(
  "one reading of the list, with the %s, serves many lost responses",
  async (order) => {
    const service = new Service(order);
    for (let i = 0; i < 100; i++) service.add(`old ${i}`);
    let n = 0;
    const post = async (text: string) => {
      await clock.sleep(1);
      const item = service.add(text);
      if (++n % 3 === 0) throw noAnswer();
      return item;
    };
    const queue = Array.from({ length: 180 }, (_, i) => `new ${i}`);
    const creator = async () => {
      for (let text = queue.shift(); text !== undefined; text = queue.shift()) await service.create(text, post);
    };
    await turning(Promise.all(Array.from({ length: 10 }, creator)));
    expect(service.items).toHaveLength(280);
    expect(service.reads).toBeLessThan(30);
  },
);

it("what this process has deleted is not adopted from a list that still has it", async () => {
  const listed = { id: "1", text: "a" };
  const store = new ObjectStore<{ id: string; text: string }>(
    {
      async *list() {
        yield listed;
      },
      one: async () => undefined,
      oneHasAllData: true,
      idOf: ({ id }) => id,
    },
    { registrations, clock },
    nothingRecent,
  );
  await store.removed("1");
  const created = await store.creator.createOrAdopt({
    name: "a",
    onExisting: "adopt",
    match: ({ text }) => (text === "a" ? "same" : "different"),
    matchNew: ({ text }) => text === "a",
    settled: async () => {},
    post: async () => ({ id: "2", text: "a" }),
    isAlreadyExistsError: () => false,
  });
  expect(created).toMatchObject({ item: { id: "2" }, how: "created" });
});
