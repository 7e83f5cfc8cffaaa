/**
 * The objects of one kind in one account: those that the list shows, those that this process knows although the list may not show them
 * yet, and which resource manages each.
 */
import { CachedRead } from "../core/cached-read";
import type { Clock } from "../core/clock";
import type { ExistingObjects, ListSource, ObjectUse, RecentObjectsHandle, SharedListing } from "../core/object-access";
import { readUntil } from "../core/read-until";
import { readMaxAge } from "../core/time-limits";

export class ObjectIndex<T> implements ExistingObjects<T> {
  readonly #listing: CachedRead<Map<string, T>>;
  #seeding: Promise<void> | undefined;
  readonly #existing = new Map<string, T>();
  readonly #uses = new Map<string, ObjectUse>();
  readonly #removed = new Set<string>();

  constructor(
    readonly source: ListSource<T>,
    readonly clock: Clock,
    readonly recent: RecentObjectsHandle,
  ) {
    this.#listing = new CachedRead(() => this.#list(), clock);
  }

  /**
   * The list by id, at most `maxAge` milliseconds old, with what was made a moment ago, unless that is gone again. `name`: with what
   * may be identified by it.
   */
  async complete(maxAge: number, name?: string): Promise<Map<string, T>> {
    const made = await this.recent.made(name);
    if (made.size === 0) return this.listObjects(maxAge);
    return readUntil(
      {
        clock: this.clock,
        left: Math.max(...made.values()),
        what: "the account's list, which does not show yet what was just created",
        read: (age) => this.listObjects(age),
        isShown: (items) => [...made.keys()].every((id) => items.has(id) || this.isRemoved(id)),
      },
      maxAge,
    );
  }

  /** The list by id, at most `maxAge` milliseconds old, without what was deleted: it may lag. */
  async listObjects(maxAge: number): Promise<Map<string, T>> {
    for (const id of await this.recent.deleted()) this.#removed.add(id);
    const items = await this.#get(maxAge);
    const removed = [...this.#removed].filter((id) => items.has(id));
    // A list that lags: what is not there must not be adopted.
    return removed.length === 0 ? items : new Map([...items].filter(([id]) => !removed.includes(id)));
  }

  async #get(maxAge: number): Promise<Map<string, T>> {
    const { shared } = this.source;
    if (shared === undefined || maxAge < readMaxAge.refresh) return this.#listing.get(maxAge);
    this.#seeding ??= this.#seed(shared);
    await this.#seeding;
    return this.#listing.get(Math.max(maxAge, shared.maxAge));
  }

  /** An object of the last listing, without a request. */
  cached(id: string): T | undefined {
    return this.#listing.cached?.get(id);
  }

  /** The next listing is a new one. */
  invalidate(): void {
    this.#listing.invalidate();
  }

  /** Reads the list, all of which exists from now on. */
  async read(maxAge: number): Promise<Map<string, T>> {
    return this.#add(await this.listObjects(maxAge));
  }

  /** Reads the list again if it may lack what was made a moment ago, and is identified by this name. */
  async readRecent(name: string): Promise<void> {
    const isMissing = (id: string) => !this.has(id) && !this.isRemoved(id);
    if ([...(await this.recent.made(name)).keys()].some(isMissing)) this.#add(await this.complete(0, name));
  }

  #add(items: Map<string, T>): Map<string, T> {
    for (const [id, item] of items) this.#existing.set(id, item);
    return items;
  }

  /** Reads the list before the first create of this process, as {@link read} does. */
  readBeforeCreates(): Promise<Map<string, T>> {
    return this.read(this.source.shared?.isEnoughForCreates() ? readMaxAge.refresh : 0);
  }

  /** Records an object that this process has written. */
  put(item: T): void {
    const id = this.idOf(item);
    this.#listing.patch((items) => items.set(id, item));
    this.#existing.set(id, item);
    this.#removed.delete(id);
  }

  /** Records that this process has deleted an object. */
  remove(id: string): void {
    this.#listing.patch((items) => items.delete(id));
    this.#existing.delete(id);
    this.#uses.delete(id);
    this.#removed.add(id);
  }

  /** True for an object that this process has deleted: a list may still have it. */
  isRemoved(id: string): boolean {
    return this.#removed.has(id);
  }

  existing(): T[] {
    return [...this.#existing.values()];
  }

  has(id: string): boolean {
    return this.#existing.has(id);
  }

  idOf(item: T): string {
    return this.source.idOf(item);
  }

  useOf(id: string): ObjectUse | undefined {
    return this.#uses.get(id);
  }

  setUse(id: string, use: ObjectUse): void {
    this.#uses.set(id, use);
  }

  /**
   * Makes the object that of a create, of all creates of this run: at once for those of this process, before anything is awaited. False if
   * another resource has it, perhaps of another provider instance.
   */
  async claim(item: T): Promise<boolean> {
    const id = this.idOf(item);
    if (["created", "inUse"].includes(this.useOf(id) as string)) return false;
    this.setUse(id, "created");
    this.put(item);
    if (await this.recent.claim(id)) return true;
    this.setUse(id, "inUse");
    return false;
  }

  async #seed(shared: SharedListing<T>): Promise<void> {
    const listing = await shared.read();
    if (listing === undefined) return;
    this.#listing.seed(new Map(listing.items.map((item) => [this.idOf(item), item])), listing.age);
  }

  async #list(): Promise<Map<string, T>> {
    const items = new Map<string, T>();
    for await (const item of this.source.list(1)) items.set(this.idOf(item), item);
    return items;
  }
}
