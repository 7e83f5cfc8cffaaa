/** Finds what has turned up in a list since it was read first, with as few requests as possible. */
import type { Collection } from "./collection";

/** How many known objects in a row end a look at a list that begins with the newest. */
const overlap = 20;

/** What is known of an object beside the list. */
export interface Ownership {
  /** True when it belongs to a resource. */
  isOwned(id: string): boolean;
  /** True when this process has made it or taken it over. */
  isOurs(id: string): boolean;
}

export class Newcomers<T> {
  /** New objects that nobody has claimed yet: somebody else's, or of an answer that is still being looked for. */
  readonly unclaimed = new Map<string, T>();
  /** Ids of the objects that were there at first. */
  #before: ReadonlySet<string> = new Set();
  #look: Promise<void> | undefined;
  /** How far that look has to go: through the whole list, or down to this id where the newest are first. */
  #isWholeWanted = false;
  #floor = Number.POSITIVE_INFINITY;
  /** Number of objects at the front of the list that have been seen: new ones are looked for behind them. */
  #settled = 0;
  /** The last of those: while it is in its place, the list has not shifted. */
  #anchor: string | undefined;
  /** Where new objects turn up in the list, and whether one has been seen there. */
  #newest: "last" | "first" = "last";
  #isProven = false;
  /** False once the list has shifted: an object may then turn up anywhere, and hide behind one that went. */
  #isOrderly = true;

  constructor(
    readonly collection: Collection<T>,
    readonly ownership: Ownership,
    /** Resolves when it is worth while to look. */
    readonly ready: () => Promise<void>,
  ) {}

  /** Takes the whole list as it was before the first creation. */
  begin(items: ReadonlyMap<string, T>): void {
    this.#before = new Set(items.keys());
    this.#learn([...items.values()]);
  }

  /**
   * Reads the list, beginning after this call, once for all who ask meanwhile. Where the newest are first down to `floor` at
   * least; `thorough` reads all of it unless its order is known by then.
   */
  look(thorough: boolean, floor = Number.POSITIVE_INFINITY): Promise<void> {
    if (thorough && !(this.#isProven && this.#isOrderly)) this.#isWholeWanted = true;
    this.#floor = Math.min(this.#floor, floor);
    this.#look ??= this.ready().then(() => this.#read());
    return this.#look;
  }

  async #read(): Promise<void> {
    const [isWhole, floor] = [this.#isWholeWanted, this.#floor];
    // Who asks from now on gets another look.
    this.#look = undefined;
    this.#isWholeWanted = false;
    this.#floor = Number.POSITIVE_INFINITY;
    const items = await (isWhole
      ? this.#readWhole()
      : this.#newest === "last"
        ? this.#readEnd()
        : this.#readFront(floor));
    for (const item of items) {
      const id = this.#id(item);
      if (!this.#before.has(id) && !this.ownership.isOwned(id)) this.unclaimed.set(id, item);
    }
  }

  /** The part of the list behind what is known, with one object before it to see that nothing has shifted. */
  async #readEnd(): Promise<T[]> {
    const [settled, anchor] = [this.#settled, this.#anchor];
    const items: T[] = [];
    for await (const item of this.collection.source.list(Math.max(1, settled))) items.push(item);
    if (settled > 0) {
      const before = items.shift();
      if (before === undefined || this.#id(before) !== anchor) {
        this.#isOrderly = false;
        return this.#readWhole();
      }
    }
    if (items.some((item) => this.ownership.isOurs(this.#id(item)))) this.#isProven = true;
    // Another reading may have come further meanwhile.
    if (settled + items.length > this.#settled)
      this.#settle(settled + items.length, items.map((item) => this.#id(item)).at(-1));
    return items;
  }

  /**
   * The part of the list before what is known. An object that turns up late stands a little behind others that are, but before
   * the one that was the newest when it was asked for.
   */
  async #readFront(floor: number): Promise<T[]> {
    const items: T[] = [];
    let known = 0;
    let last = Number.POSITIVE_INFINITY;
    for await (const item of this.collection.source.list(1)) {
      const id = this.#id(item);
      if (this.#before.has(id) || (known >= overlap && last <= floor)) break;
      if (!(Number(id) < last)) {
        this.#isOrderly = false;
        return this.#readWhole();
      }
      last = Number(id);
      known = this.ownership.isOwned(id) || this.unclaimed.has(id) ? known + 1 : 0;
      items.push(item);
    }
    if (items.some((item) => this.ownership.isOurs(this.#id(item)))) this.#isProven = true;
    return items;
  }

  async #readWhole(): Promise<T[]> {
    const items = [...(await this.collection.all(0)).values()];
    this.#learn(items);
    return items;
  }

  /** Where new objects turn up, as far as the ids of the whole list tell; of few it may be chance. */
  #learn(items: readonly T[]): void {
    const ids = items.map((item) => this.#id(item));
    const isFalling = ids.length > 1 && ids.every((id, i) => i === 0 || Number(id) < Number(ids[i - 1]));
    this.#newest = isFalling ? "first" : "last";
    if (isFalling) this.#isOrderly = ids.length >= overlap;
    this.#settle(ids.length, ids.at(-1));
  }

  #settle(count: number, last: string | undefined): void {
    this.#settled = count;
    if (last !== undefined) this.#anchor = last;
  }

  #id(item: T): string {
    return this.collection.source.idOf(item);
  }
}
