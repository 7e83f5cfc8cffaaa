/** Searches for lost answers in lists of any order, while others create and delete. In memory: only the method is tested. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Collection } from "../../provider/collection";
import { NoAnswerError } from "../../sdk";

interface Item {
  id: string;
  text: string;
}

/** A service whose list is in some order and whose answers get lost. */
class Memory {
  items: Item[] = [];
  reads = 0;
  /** How many objects were listed in all. */
  shown = 0;
  #last = 0;

  constructor(
    readonly order: "oldest first" | "newest first" | "shuffled",
    readonly isLost: () => boolean,
    /** Whether ids tell the order of creations. */
    readonly hasCounted = true,
  ) {}

  add(text: string): Item {
    const n = ++this.#last;
    const item = { id: String(this.hasCounted ? n : (n * 7919) % 100_003), text };
    if (this.order === "oldest first") this.items.push(item);
    else if (this.order === "newest first") this.items.unshift(item);
    else this.items.splice((this.#last * 7919) % (this.items.length + 1), 0, item);
    return item;
  }

  post(text: string): Item {
    const item = this.add(text);
    if (this.isLost()) throw new NoAnswerError("no answer", {}, true);
    return item;
  }

  collection(): Collection<Item> {
    const memory = this;
    return new Collection<Item>(
      {
        async *list(from) {
          memory.reads++;
          for (const item of memory.items.slice(from - 1)) {
            memory.shown++;
            yield item;
          }
        },
        one: async (id) => memory.items.find((item) => item.id === id),
        isWhole: true,
        idOf: ({ id }) => id,
      },
      async () => {},
    );
  }
}

const create = (collection: Collection<Item>, memory: Memory, text: string) =>
  collection.claims.obtain({
    onExisting: "create",
    match: (item) => (item.text === text ? "equal" : "other"),
    matchNew: (item) => item.text === text,
    post: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return memory.post(text);
    },
    existsAlready: () => false,
  });

describe("exactly one object for each creation", () => {
  it.each(["oldest first", "newest first", "shuffled"] as const)(
    "in a list with the %s",
    { timeout: 120_000 },
    async (order) => {
      await fc.assert(
        fc.asyncProperty(
          fc.infiniteStream(fc.boolean()),
          fc.integer({ min: 0, max: 5 }),
          fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 12 }),
          fc.boolean(),
          async (losses, existing, texts, hasCounted) => {
            const memory = new Memory(order, () => losses.next().value as boolean, hasCounted);
            for (let i = 0; i < existing; i++) memory.add("a");
            const before = new Set(memory.items.map(({ id }) => id));
            const collection = memory.collection();
            const made = await Promise.all(
              texts.map(async (text, i) => {
                const result = await create(collection, memory, text);
                // Somebody else works in the account, too.
                if (i % 4 === 1) memory.add("foreign");
                if (i % 5 === 2) memory.items = memory.items.filter((item) => item.text !== "foreign");
                return result;
              }),
            );
            const ids = made.map(({ item }) => item.id).sort();
            const ours = memory.items.filter(({ id, text }) => text !== "foreign" && !before.has(id));
            expect(ours.map(({ id }) => id).sort()).toEqual(ids);
            for (const [i, text] of texts.entries()) expect(made[i]!.item.text).toBe(text);
          },
        ),
        { numRuns: order === "shuffled" ? 5 : 15, interruptAfterTimeLimit: 20_000 },
      );
    },
  );

  it.each([
    ["oldest first", 100, "in order"],
    ["oldest first", 100, "in any order"],
    ["oldest first", 0, "in any order"],
    ["newest first", 100, "in order"],
    ["newest first", 0, "in order"],
    ["newest first", 100, "in any order"],
    ["newest first", 0, "in any order"],
  ] as const)(
    "without reading the whole list again and again, with the %s of %i and more, whose ids are %s",
    async (order, existing, ids) => {
      let n = 0;
      const memory = new Memory(order, () => ++n % 3 === 0, ids === "in order");
      for (let i = 0; i < existing; i++) memory.add(`old ${i}`);
      const collection = memory.collection();
      const queue = Array.from({ length: 180 }, (_, i) => `new ${i}`);
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          for (let text = queue.shift(); text !== undefined; text = queue.shift())
            await create(collection, memory, text);
        }),
      );
      expect(memory.items).toHaveLength(existing + 180);
      expect(memory.reads).toBeLessThan(30);
      // What was there before once, what is new once, and a few known ones with each look.
      expect(memory.shown).toBeLessThan(existing + 180 + 30 * memory.reads);
    },
  );
});
