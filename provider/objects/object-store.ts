/** The objects of one kind in one account, read together: a refresh of a thousand objects is a few pages, not a thousand requests. */
import { ApiError } from "../../sdk/errors";
import { longestLag } from "../../sdk/http/read-lag";
import type { Clock } from "../core/clock";
import { Failure } from "../core/failure";
import type { ListSource, ObjectStoreHandle, RecentObjectsHandle } from "../core/object-access";
import { readUntil } from "../core/read-until";
import type { Registrations } from "../session/registrations";
import { ObjectCreator } from "./create-or-adopt";
import { isSurelyGone, statusesOfMissing } from "./missing-object";
import { ObjectIndex } from "./object-index";

/** Of what is young, the list may have what a read by ID does not have yet. */
function missingFor(error: unknown): undefined {
  if (!(error instanceof ApiError && statusesOfMissing.has(error.status))) throw error;
}

export class ObjectStore<T, One = unknown> implements ObjectStoreHandle<T> {
  readonly creator: ObjectCreator<T>;
  readonly #index: ObjectIndex<T>;

  constructor(
    readonly source: ListSource<T, One>,
    readonly run: { clock: Clock; registrations: Pick<Registrations, "settled"> },
    readonly recent: RecentObjectsHandle,
  ) {
    this.#index = new ObjectIndex(source, run.clock, recent);
    this.creator = new ObjectCreator(this.#index, run.registrations, run.clock);
  }

  /** All objects by id, at most `maxAge` milliseconds old, with what was made a moment ago. */
  all(maxAge: number): Promise<Map<string, T>> {
    return this.#index.complete(maxAge);
  }

  /** An object of the last listing, without a request. */
  cached(id: string): T | undefined {
    return this.#index.cached(id);
  }

  /** True for an object of the state that the plan changes. */
  isChanging(id: string): boolean {
    return this.#index.useOf(id) === "inUse";
  }

  /** One object, at most `maxAge` milliseconds old, or undefined if it no longer exists. */
  async read(id: string, maxAge: number): Promise<T | undefined> {
    const item = (await this.#index.listObjects(maxAge)).get(id);
    if (item !== undefined) return item;
    // A list may lag behind, and objects slip between pages while others are deleted: that it lacks one proves nothing.
    const one = await this.one(id, maxAge);
    if (this.source.oneHasAllData || one === undefined) return one as T | undefined;
    return this.#waitUntilListed(id);
  }

  /** One object by its id; undefined if it no longer exists, which a listing of that age may help to decide. */
  async one(id: string, maxAge = 0): Promise<One | undefined> {
    const left = (await this.recent.made()).get(id) ?? 0;
    if (left === 0) return this.#oneNow(id, maxAge);
    return readUntil(
      {
        clock: this.run.clock,
        left,
        what: "an object that was just created, and that the account does not show yet",
        read: () => this.#oneNow(id, 0).catch(missingFor),
        isShown: (value) => value !== undefined,
      },
      0,
    );
  }

  async #oneNow(id: string, maxAge: number): Promise<One | undefined> {
    try {
      return await this.source.one(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isSurelyGone(error)) return undefined;
      if (!statusesOfMissing.has(error.status)) throw error;
      const items = await this.#index.listObjects(maxAge).catch(() => undefined);
      if (items === undefined || items.has(id)) throw error;
      return undefined;
    }
  }

  /** Resolves to whether an object is gone. `left`: milliseconds for which a read may still show one that was just deleted. */
  async isGone(id: string, left: number): Promise<boolean> {
    const one = await readUntil(
      {
        clock: this.run.clock,
        left,
        what: "an object that was just deleted, and that the account still shows",
        read: () => this.#oneNow(id, 0),
        isShown: (value) => value === undefined,
      },
      0,
    );
    return one === undefined;
  }

  /** Records an update by its response. If that lacks some of what was sent, the next read is a new one. */
  updated(id: string, form: Record<string, string>, response: Partial<T>): void {
    const item = this.cached(id);
    const present = Object.fromEntries(
      Object.entries(response).filter(([, value]) => value !== undefined && value !== null),
    );
    if (item !== undefined && Object.keys(form).every((name) => name in present))
      this.#index.put({ ...item, ...present });
    else this.#index.invalidate();
  }

  /** Records that this process has deleted an object. */
  async removed(id: string): Promise<void> {
    this.#index.remove(id);
    await this.recent.record("deleted", id);
  }

  async #waitUntilListed(id: string): Promise<T> {
    const items = await readUntil(
      {
        clock: this.run.clock,
        left: longestLag,
        what: "the account's list, which does not have a new object yet",
        read: (age) => this.#index.listObjects(age),
        isShown: (value) => value.has(id),
      },
      0,
    );
    const item = items.get(id);
    if (item !== undefined) return item;
    throw new Failure(
      "ESIGN1023",
      `the API returns it (id ${id}), but its list does not show it yet, and only the list has all of its data`,
    );
  }
}
