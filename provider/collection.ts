/** The objects of one kind in one account, read together: a refresh of a thousand objects is a few pages, not a thousand requests. */
import { setTimeout as sleep } from "node:timers/promises";
import { Claims, lookWaits } from "./claims";
import { Failure } from "./errors";
import { Recent } from "./recent";

/** How to reach the objects of one kind. */
export interface Source<T> {
  /** All objects from a position on, counted from 1, in the service's order. */
  list(from: number): AsyncIterable<T>;
  /** One object; undefined when it is gone. Absent when only the list has all that is needed. */
  get?(id: string): Promise<T | undefined>;
  /** Whether there is such an object. Needed without `get`. */
  exists?(id: string): Promise<boolean>;
  idOf(item: T): string;
}

/** Milliseconds for which questions are gathered before it is decided whether one object is asked for or the list. */
const gathering = 8;

export class Collection<T> {
  readonly claims: Claims<T>;
  readonly #listing: Recent<Map<string, T>>;
  #asked = 0;
  #gathered: Promise<void> | undefined;

  constructor(
    readonly source: Source<T>,
    quiet: () => Promise<void>,
  ) {
    this.#listing = new Recent(() => this.#list());
    this.claims = new Claims(this, quiet);
  }

  /** All objects by id, at most `age` milliseconds old. */
  all(age: number): Promise<Map<string, T>> {
    return this.#listing.get(age);
  }

  /** What is known of an object without asking. */
  known(id: string): T | undefined {
    return this.#listing.current?.get(id);
  }

  /**
   * One object, at most `age` milliseconds old, or undefined when it is gone. The first question alone is asked for its
   * object; as soon as there are more, the list answers all of them.
   */
  async read(id: string, age: number): Promise<T | undefined> {
    const { get } = this.source;
    this.#asked++;
    if (get !== undefined && this.#listing.current === undefined) {
      this.#gathered ??= sleep(gathering);
      await this.#gathered;
      if (this.#asked === 1) return get(id);
    }
    const item = (await this.#listing.get(age)).get(id);
    if (item !== undefined) return item;
    // A list may lag behind, and objects slip between pages while others are deleted: its silence proves nothing.
    if (get !== undefined) return get(id);
    if (!(await this.isThere(id))) return undefined;
    for (const seconds of lookWaits) {
      await sleep(seconds * 1000);
      const found = (await this.#listing.get(0)).get(id);
      if (found !== undefined) return found;
    }
    throw new Failure(
      `the service has it (id ${id}), but not yet in its list, which alone tells all that is needed. Run the same command again in a while`,
    );
  }

  /** Whether there is such an object, whatever the list says. */
  async isThere(id: string): Promise<boolean> {
    const { get, exists } = this.source;
    return get === undefined ? exists!(id) : (await get(id)) !== undefined;
  }

  /** Tells of an object that this process has written. */
  put(item: T): void {
    this.#listing.change((items) => items.set(this.source.idOf(item), item));
    this.claims.changed(item);
  }

  /** Tells of an object that this process has deleted. */
  drop(id: string): void {
    this.#listing.change((items) => items.delete(id));
    this.claims.dropped(id);
  }

  forget(): void {
    this.#listing.forget();
  }

  async #list(): Promise<Map<string, T>> {
    const items = new Map<string, T>();
    for await (const item of this.source.list(1)) items.set(this.source.idOf(item), item);
    return items;
  }
}
