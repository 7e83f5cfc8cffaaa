/**
 * Creates objects so that nothing is made twice although a POST is not repeatable and carries no idempotency key. The
 * objects are listed once before the first creation; an equal object that nobody owns is taken over; after a lost answer
 * the list is read again until the object turns up or surely does not.
 */

import { EsignError, markMayHaveSucceeded } from "../../sdk/errors";
import type { Clock } from "../core/clock";
import { Failure } from "../core/failure";
import type { CreateRequest, CreateResult, ObjectList } from "../core/object-list";
import { NewObjects, type Origin } from "./new-objects";

/** Seconds to wait before each look for an object whose answer was lost: lists may lag behind writes. */
export const searchWaits = [0, 0.3, 1, 2.5, 4.5];
/** How often a POST is sent when its answers are lost and no object turns up: where one of twenty fails, four would be too few for thousands. */
const maxPosts = 5;
/**
 * Milliseconds in which no POST must be under way or sent before lost answers are looked for: one reading of the list serves
 * all that are lost meanwhile. And the longest wait for that.
 */
const gathering = 150;
const patience = 1000;

/**
 * Who an object belongs to: a creation of this process (`twin`: one that asked for an object of its own, so that there may be another
 * equal one), or the state. What that leaves as it is may be another resource's from now on; what it changes, or has made although there
 * was an equal one, may not.
 */
type Owner = "created" | "twin" | "kept" | "needed";

export class ObjectCreator<T> {
  readonly #owners = new Map<string, Owner>();
  readonly #newcomers: NewObjects<T>;
  #begun: Promise<void> | undefined;
  /** POSTs under way, and all that were sent. */
  #posting = 0;
  #sent = 0;
  /** Of the objects that this process has made, in the order of what it asked for and had. */
  readonly #origins = new Map<string, Origin>();
  #time = 0;
  /** What is looked for, by when this process asked for it, in the order in which the searches began. */
  readonly #searches = new Map<number, CreateRequest<T>>();
  /** The objects that there are, as far as this process knows: the list before the first creation, and its own writes. */
  readonly #existing = new Map<string, T>();

  constructor(
    readonly objects: ObjectList<T>,
    /** Resolves when the program has registered what it has to register for now. */
    readonly registrationsSettled: () => Promise<void>,
    readonly clock: Clock,
  ) {
    const ownership = {
      isOwned: (id: string) => this.#owners.has(id),
      origin: (id: string) => this.#origins.get(id),
      isAwaited: (item: T) => [...this.#searches.values()].some(({ matchNew }) => matchNew(item)),
    };
    this.#newcomers = new NewObjects(objects, ownership, clock, () => this.#gathered());
  }

  /** True when a creation of this process has made or taken over the object. */
  #created(id: string): boolean {
    return ["created", "twin"].includes(this.#owners.get(id) as string);
  }

  /** Notes an object of the state, and whether another resource of the program may take it over. */
  registerExisting(id: string, isReusable: boolean): void {
    if (!this.#created(id)) this.#owners.set(id, isReusable ? "kept" : "needed");
  }

  /** Notes what an object is like now. */
  put(item: T): void {
    this.#existing.set(this.#id(item), item);
  }

  removed(id: string): void {
    this.#owners.delete(id);
    this.#origins.delete(id);
    this.#existing.delete(id);
    this.#newcomers.removed(id);
  }

  /** Makes the object, or takes over one that is equal. */
  async createOrAdopt(request: CreateRequest<T>): Promise<CreateResult<T>> {
    await this.#begin();
    const left = await this.#left(request);
    if (left !== undefined) return this.#own(request, { item: left, how: "claimed" });
    const adopted = request.onExisting === "create" ? undefined : await this.#adopt(request);
    if (adopted !== undefined) return { item: adopted, how: "adopted" };
    await request.log?.begin(this.#matching(request, "equal").map((item) => this.#id(item)));
    try {
      const obtained = this.#own(request, await this.#make(request));
      request.log?.created(this.#id(obtained.item));
      return obtained;
    } catch (error) {
      if (error instanceof EsignError && !error.mayHaveSucceeded) request.log?.discard();
      throw error;
    }
  }

  /** What was asked for without regard to equal ones keeps nobody from asking for one. */
  #own({ onExisting }: CreateRequest<T>, obtained: CreateResult<T>): CreateResult<T> {
    if (onExisting === "create") this.#owners.set(this.#id(obtained.item), "twin");
    return obtained;
  }

  /** Sends the request, again only when its answer was lost and nothing has come of it. */
  async #make(request: CreateRequest<T>): Promise<CreateResult<T>> {
    let wasLost = false;
    // Whatever comes of a request is newer than all that this process had before it.
    const asked = this.#time + 1;
    for (let posts = 1; ; posts++) {
      const again = ++this.#time;
      let failure: unknown;
      try {
        const item = await this.#post(request);
        // What was there before was not made by this request, whatever the service answers.
        if (!this.#existing.has(this.#id(item)) && this.#claim(item, asked)) return { item, how: "created" };
        // Or an equal request whose answer was lost has taken this object. Its own one is still to be found.
      } catch (error) {
        const exists = request.isAlreadyExistsError(error);
        if (exists && posts === 1 && request.onExisting !== "adopt") throw error;
        if (exists && posts === 1) return { item: await this.#existingOne(request, error), how: "adopted" };
        const isLost = error instanceof EsignError && error.mayHaveSucceeded;
        // What was lost before may still turn up, whatever this answer says.
        failure = error instanceof EsignError ? markMayHaveSucceeded(error, wasLost) : error;
        if (!exists && !isLost) throw failure;
        wasLost ||= isLost;
      }
      const item = await this.#find(request, asked, again).catch((error) => {
        // Whether it was made cannot be seen, so it is not sent again.
        throw failure ?? error;
      });
      if (item !== undefined) return { item, how: "claimed" };
      if (posts >= maxPosts) {
        throw (
          failure ??
          new Failure(
            "the service answered with the id of another object, again and again. Look whether the account has it, and run the same command again",
          )
        );
      }
    }
  }

  /** The objects that there are, as far as they match. */
  #matching(request: CreateRequest<T>, how: "equal" | "doubtful"): T[] {
    return [...this.#existing.values()].filter((item) => request.match(item) === how);
  }

  /** What an earlier run has made of the same creation, and the state has not heard of. */
  async #left({ log, matchNew }: CreateRequest<T>): Promise<T | undefined> {
    if (log === undefined || !(await log.hasUnfinished())) return undefined;
    // The owners of what was made, too, are registered by then.
    await this.registrationsSettled();
    for (const { existing, mayHaveCreated, forget } of log.unfinished()) {
      const made = [...this.#existing.values()].find((item) => {
        const id = this.#id(item);
        return !this.#owners.has(id) && mayHaveCreated(id) && matchNew(item);
      });
      if (made === undefined) {
        forget();
        continue;
      }
      this.#claim(made);
      await log.begin(existing);
      log.created(this.#id(made));
      forget();
      return made;
    }
    return undefined;
  }

  /** Reads the list before the first creation. */
  #begin(): Promise<void> {
    this.#begun ??= this.objects.all(0).then(
      (items) => {
        for (const [id, item] of items) this.#existing.set(id, item);
        this.#newcomers.begin(items);
      },
      (error) => {
        this.#begun = undefined;
        throw error;
      },
    );
    return this.#begun;
  }

  async #adopt(request: CreateRequest<T>): Promise<T | undefined> {
    if ([...this.#existing.values()].every((item) => request.match(item) === "other")) return undefined;
    // The owner of an equal object may be about to be registered.
    await this.registrationsSettled();
    const equal = this.#matching(request, "equal");
    const ownedBy = (owner: Owner | undefined) => equal.find((item) => this.#owners.get(this.#id(item)) === owner);
    const [theirs, kept] = [ownedBy(undefined), ownedBy("kept")];
    // What the state has is no surprise: it is replaced by force.
    const free = request.onExisting === "fail" ? kept : (theirs ?? kept);
    if (free !== undefined) {
      this.#claim(free);
      return free;
    }
    if (theirs !== undefined) {
      throw new Failure(
        `such an object exists already (id ${this.#id(theirs)}); take it over with onExisting: "adopt", or make another with "create"`,
      );
    }
    const same = ownedBy("created");
    if (same !== undefined) {
      throw new Failure(
        `another resource of this program is the same object (id ${this.#id(same)}); remove one of them, or say onExisting: "create" if there shall be two`,
      );
    }
    const doubtful = this.#matching(request, "doubtful").find((item) => !this.#owners.has(this.#id(item)));
    if (doubtful !== undefined) throw this.#doubt(doubtful);
    return undefined;
  }

  #doubt(item: T): Failure {
    return new Failure(
      `an object that may be the same exists already (id ${this.#id(item)}): equal in name, not clearly in the rest; make it equal in the account to take it over, or say onExisting: "create" to make another`,
    );
  }

  async #post(request: CreateRequest<T>): Promise<T> {
    this.#posting++;
    this.#sent++;
    try {
      return await request.post();
    } finally {
      this.#posting--;
    }
  }

  /** The service says that it exists, and no answer of ours was lost: it was there before. */
  async #existingOne(request: CreateRequest<T>, error: unknown): Promise<T> {
    const items = [...(await this.objects.all(0)).values()];
    // As in an adoption: what its owner is about to change, or has made for itself, is not free.
    const isReusable = (item: T) => [undefined, "kept"].includes(this.#owners.get(this.#id(item)));
    const match = items.find((item) => request.match(item) === "equal" && isReusable(item));
    if (match !== undefined) {
      this.#claim(match);
      return match;
    }
    const doubtful = items.find((item) => request.match(item) === "doubtful" && !this.#owners.has(this.#id(item)));
    throw doubtful === undefined ? error : this.#doubt(doubtful);
  }

  /**
   * Looks for an object that is new, nobody's, and equal in every field that was sent: when it was asked for first, and for the last
   * time. Throws when the last look failed.
   */
  async #find(request: CreateRequest<T>, asked: number, again: number): Promise<T | undefined> {
    this.#searches.set(asked, request);
    // A twin that began before may take the object, and leave its own, which is older.
    const hasTwins = request.onExisting === "create";
    let unread: unknown;
    for (const [round, seconds] of searchWaits.entries()) {
      await this.clock.sleep(seconds * 1000);
      try {
        // Where the newest are first, what turns up late stands deep, and the later it is the more has to be read.
        if (round === searchWaits.length - 1) await this.#newcomers.lookLast(hasTwins, asked);
        else await this.#newcomers.look(round >= 2, round < 2 ? again : undefined);
        unread = undefined;
      } catch (error) {
        unread = error;
        continue;
      }
      // Between finding and claiming nothing is awaited: two searches cannot take the same object.
      const found = this.#foundFor(asked);
      if (found !== undefined) {
        this.#claim(found, asked);
        return found;
      }
    }
    this.#searches.delete(asked);
    if (unread !== undefined) throw unread;
    return undefined;
  }

  /** What has turned up and is left for a search by those that began before: of equal objects they have less time to see another. */
  #foundFor(asked: number): T | undefined {
    const free = [...this.#newcomers.unclaimed.values()].filter((item) => !this.#owners.has(this.#id(item)));
    for (const [other, { matchNew }] of this.#searches) {
      const index = free.findIndex((item) => matchNew(item));
      if (other === asked) return free[index];
      if (index >= 0) free.splice(index, 1);
    }
    return undefined;
  }

  /** Resolves when hardly another answer can be lost soon, or it has taken too long. */
  async #gathered(): Promise<void> {
    const end = this.clock.now() + patience;
    let sent: number;
    do {
      sent = this.#sent;
      await this.clock.sleep(gathering);
    } while ((this.#posting > 0 || this.#sent > sent) && this.clock.now() < end);
  }

  /** Takes it, unless it is taken. `asked`: when this process began to make it. */
  #claim(item: T, asked?: number): boolean {
    const id = this.#id(item);
    if (this.#created(id)) return false;
    this.#owners.set(id, "created");
    if (asked !== undefined) {
      this.#origins.set(id, { asked, had: ++this.#time });
      this.#searches.delete(asked);
    }
    this.#newcomers.unclaimed.delete(id);
    this.objects.put(item);
    return true;
  }

  #id(item: T): string {
    return this.objects.source.idOf(item);
  }
}
