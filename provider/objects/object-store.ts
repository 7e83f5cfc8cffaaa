/** The objects of one kind in one account, read together: a refresh of a thousand objects is a few pages, not a thousand requests. */
import { ApiError } from "../../sdk/errors";
import type { Clock } from "../core/clock";
import { Failure } from "../core/failure";
import type { ListSource, ObjectStoreHandle } from "../core/object-access";
import { ObjectCreator, type Settling } from "./create-or-adopt";
import { ObjectIndex } from "./object-index";

/**
 * Statuses with which services answer a request for an object that does not exist, besides the known codes: the
 * specification is silent about it. Each may mean something else, so the list must lack the object, too.
 */
export const statusesOfMissing = new Set([400, 404, 410, 422]);
/** A code comes from the API; a bare status may come from anything in between. */
export const isSurelyGone = (error: ApiError) => error.isNotFound && error.code !== undefined;

/** Seconds to wait before each reading of a list that lacks an object. */
const listWaits = [0, 1, 2.5, 5];

export class ObjectStore<T, One = unknown> implements ObjectStoreHandle<T> {
  readonly creator: ObjectCreator<T>;
  readonly #index: ObjectIndex<T>;

  constructor(
    readonly source: ListSource<T, One>,
    readonly session: { clock: Clock; registrations: Settling },
  ) {
    this.#index = new ObjectIndex(source);
    this.creator = new ObjectCreator(this.#index, session.registrations, session.clock);
  }

  /** All objects by id, at most `maxAge` milliseconds old. */
  all(maxAge: number): Promise<Map<string, T>> {
    return this.#index.listed(maxAge);
  }

  /** An object of the last listing, without a request. */
  cached(id: string): T | undefined {
    return this.#index.cached(id);
  }

  /** True for an object of the state that the plan changes. */
  isChanging(id: string): boolean {
    return this.#index.ownerOf(id) === "inUse";
  }

  /** One object, at most `maxAge` milliseconds old, or undefined if it no longer exists. */
  async read(id: string, maxAge: number): Promise<T | undefined> {
    const item = (await this.all(maxAge)).get(id);
    if (item !== undefined) return item;
    // A list may lag behind, and objects slip between pages while others are deleted: that it lacks one proves nothing.
    const one = await this.one(id, maxAge);
    if (this.source.isComplete || one === undefined) return one as T | undefined;
    return this.#waitUntilListed(id);
  }

  /** One object by its id; undefined if it no longer exists, which a listing of that age may help to decide. */
  async one(id: string, maxAge = 0): Promise<One | undefined> {
    try {
      return await this.source.one(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isSurelyGone(error)) return undefined;
      if (!statusesOfMissing.has(error.status)) throw error;
      const items = await this.all(maxAge).catch(() => undefined);
      if (items === undefined || items.has(id)) throw error;
      return undefined;
    }
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
  removed(id: string): void {
    this.#index.remove(id);
  }

  async #waitUntilListed(id: string): Promise<T> {
    for (const [i, seconds] of listWaits.entries()) {
      const left = listWaits.slice(i).reduce((sum, each) => sum + each, 0);
      const reason = "the account's list, which does not have a new object yet";
      await this.session.clock.sleep(seconds * 1000, reason, left * 1000);
      const item = (await this.all(0)).get(id);
      if (item !== undefined) return item;
    }
    throw new Failure(
      "ESIGN1023",
      `the API returns it (id ${id}), but not yet in its list, which alone has all that is needed`,
      "Rerun in a while",
    );
  }
}
