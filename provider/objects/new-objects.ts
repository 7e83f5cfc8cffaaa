/** Finds what has turned up in a list since it was read first, with as few requests as possible. */
import type { Clock } from "../core/clock";
import type { ObjectList } from "../core/object-list";

/** How many objects that are older than what is looked for end a look at a list that begins with the newest. */
const margin = 8;
/** How many objects of this process in their places prove that the newest are first: of fewer it may be chance. */
const proof = 4;
/** How many ids in a row tell the order of a list, as long as nothing else does: of fewer it may be chance. */
const telling = 20;

/** Milliseconds for which last looks are gathered: each may have to read all that this process has made meanwhile. */
const gathering = 1500;

/** When this process asked for an object, and when it had it, counted from 1. */
export interface Origin {
  asked: number;
  had: number;
}
/** Of what was there at first. */
const before: Origin = { asked: 0, had: 0 };

/** A look at the list, and how far it has to go. */
interface Look {
  /** Through all of it. */
  isWhole: boolean;
  /** Where the newest are first, down to what this process had by then. */
  floor: number;
  done: Promise<void>;
}

/** What is known of an object beside the list. */
export interface Ownership<T> {
  /** True when it belongs to a resource. */
  isOwned(id: string): boolean;
  /** Of an object that this process has made. */
  origin(id: string): Origin | undefined;
  /** True when a search is after such an object. */
  isAwaited(item: T): boolean;
}

export class NewObjects<T> {
  /** New objects that nobody has claimed yet: somebody else's, or of an answer that is still being looked for. */
  readonly unclaimed = new Map<string, T>();
  /** Ids of the objects that were there at first. */
  #before: ReadonlySet<string> = new Set();
  /** Looks that have not begun yet, which others may join. */
  #next: Look | undefined;
  #last: Look | undefined;
  /** Number of objects at the front of the list that have been seen: new ones are looked for behind them. */
  #settled = 0;
  /** The last of those: while it is in its place, the list has not shifted. */
  #anchor: string | undefined;
  /** Where new objects turn up in the list, and whether they have been seen there. */
  #newest: "last" | "first" = "last";
  #isProven = false;
  /** Ids of objects that have been in the list. */
  #shown: Set<string> = new Set();
  /** False once the list has shifted: an object may then turn up anywhere, and hide behind one that went. */
  #isOrderly = true;

  constructor(
    readonly objects: ObjectList<T>,
    readonly ownership: Ownership<T>,
    readonly clock: Clock,
    /** Resolves when it is worth while to look. */
    readonly ready: () => Promise<void>,
  ) {}

  /** Takes the whole list as it was before the first creation. */
  begin(items: ReadonlyMap<string, T>): void {
    this.#before = new Set(items.keys());
    this.#learn([...items.keys()]);
  }

  /**
   * Reads the list, beginning after this call, once for all who ask meanwhile. Where the newest are first down to what this
   * process had when it asked (`floor`); `thorough` reads all of it unless its order is known by then.
   */
  look(thorough: boolean, floor = Number.POSITIVE_INFINITY): Promise<void> {
    this.#next ??= this.#begun(this.ready(), () => {
      this.#next = undefined;
    });
    return this.#joined(this.#next, thorough, floor);
  }

  /**
   * The same, thorough, for those who look for the last time: once for all who ask within a while. All is read also where others are at
   * work: what they add and remove may hide what is looked for.
   */
  lookLast(isWhole: boolean, floor: number): Promise<void> {
    this.#last ??= this.#begun(this.clock.sleep(gathering), () => {
      this.#last = undefined;
    });
    if (isWhole || this.#hasOthers) this.#last.isWhole = true;
    return this.#joined(this.#last, true, floor);
  }

  /** An object that this process has deleted. */
  removed(id: string): void {
    this.unclaimed.delete(id);
    // Another one may have moved into its place.
    if (this.#newest === "last") this.#isOrderly = false;
  }

  /** True when there is an object that nobody here has made or looks for. */
  get #hasOthers(): boolean {
    return [...this.unclaimed.values()].some((item) => !this.ownership.isAwaited(item));
  }

  /** `leave` is called when others cannot join any more. */
  #begun(ready: Promise<void>, leave: () => void): Look {
    const look: Look = {
      isWhole: false,
      floor: Number.POSITIVE_INFINITY,
      done: ready.then(() => {
        leave();
        return this.#read(look);
      }),
    };
    return look;
  }

  #joined(look: Look, thorough: boolean, floor: number): Promise<void> {
    if (thorough && !(this.#isProven && this.#isOrderly)) look.isWhole = true;
    look.floor = Math.min(look.floor, floor);
    return look.done;
  }

  async #read({ isWhole, floor }: Look): Promise<void> {
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
    for await (const item of this.objects.source.list(Math.max(1, settled))) items.push(item);
    const ids = items.map((item) => this.#id(item));
    if (settled === 0) {
      this.#learn(ids);
      return items;
    }
    if (ids[0] !== anchor) {
      this.#isOrderly = false;
      return this.#readWhole();
    }
    if (ids.some((id, i) => i > 0 && this.ownership.origin(id) !== undefined)) this.#isProven = true;
    // Another reading may have come further meanwhile.
    const length = settled + ids.length - 1;
    if (length > this.#settled) this.#settle(length, ids.at(-1));
    return items.slice(1);
  }

  /**
   * The part of the list before what is older than what is looked for. An object that turns up late stands a little behind others that
   * are, but before all that this process had when it asked for it.
   */
  async #readFront(floor: number): Promise<T[]> {
    const items = new Map<string, T>();
    let older = 0;
    let oldest: Origin | undefined;
    for await (const item of this.objects.source.list(1)) {
      const id = this.#id(item);
      items.set(id, item);
      const origin = this.#originOf(id);
      if (origin !== undefined && origin.had <= floor && ++older === margin) {
        oldest = origin;
        break;
      }
    }
    const { isFirst, isLast, own } = this.#evidence([...items.keys()]);
    // What has been in the list and is newer than the last of these must be among them.
    const isMissed = (id: string) =>
      oldest !== undefined && !items.has(id) && (this.ownership.origin(id)?.asked ?? 0) > oldest.had;
    if (isLast || [...this.#shown].some(isMissed)) return this.#readWhole();
    if (isFirst && own >= proof) this.#isProven = true;
    for (const id of items.keys()) this.#shown.add(id);
    return [...items.values()];
  }

  async #readWhole(): Promise<T[]> {
    const items = await this.objects.all(0);
    this.#shown = new Set(items.keys());
    this.#learn([...items.keys()]);
    return [...items.values()];
  }

  /** Where new objects turn up in the whole list. */
  #learn(ids: readonly string[]): void {
    const { isFirst, isLast, own } = this.#evidence(ids);
    // Ids tell if nothing else does.
    const isFalling = ids.length > 1 && ids.every((id, i) => i === 0 || Number(id) < Number(ids[i - 1]));
    this.#newest = !isLast && (isFirst || isFalling) ? "first" : "last";
    if (isFirst || isLast) this.#isProven = isFirst !== isLast && (isLast || own >= proof);
    if (this.#newest === "first") this.#isOrderly = isFirst || ids.length >= telling;
    else if (isFirst) this.#isOrderly = false;
    this.#settle(ids.length, ids.at(-1));
  }

  /** What objects whose age is known say of the order of the list: that a newer one stands before an older one, and the reverse. */
  #evidence(ids: readonly string[]): { isFirst: boolean; isLast: boolean; own: number } {
    const seen = { isFirst: false, isLast: false, own: 0 };
    let previous: Origin | undefined;
    for (const id of ids) {
      const origin = this.#originOf(id);
      if (origin === undefined) continue;
      if (origin !== before) seen.own++;
      // Those that were asked for at about the same time may stand in any order.
      if (previous !== undefined && origin !== before && previous.had < origin.asked) seen.isLast = true;
      if (previous !== undefined && previous !== before && origin.had < previous.asked) seen.isFirst = true;
      previous = origin;
    }
    return seen;
  }

  #originOf(id: string): Origin | undefined {
    return this.ownership.origin(id) ?? (this.#before.has(id) ? before : undefined);
  }

  #settle(count: number, last: string | undefined): void {
    this.#settled = count;
    if (last !== undefined) this.#anchor = last;
  }

  #id(item: T): string {
    return this.objects.source.idOf(item);
  }
}
