/**
 * Continues a create that an earlier run left pending: the object that it created becomes the resource's, and no second one is created.
 */
import { longestLag } from "../../sdk/http/read-lag";
import type { Clock } from "../core/clock";
import type { CreateRequest, ExistingObjects, PendingCreate, PendingCreateLog } from "../core/object-access";

interface ClaimedObjects<T> extends ExistingObjects<T> {
  /** Makes an object that of a create, before anything is awaited for those of this process. False if another resource has it. */
  claim(item: T): Promise<boolean>;
  /** Reads the list, at most so many milliseconds old. */
  read(maxAge: number): Promise<unknown>;
}

/**
 * What a pending create has made; undefined if nothing that the list has. An object whose ID is recorded may differ from what is declared
 * now, as the program may have changed since: in all but what identifies it.
 */
export function findPending<T>(
  objects: ExistingObjects<T>,
  { mayHaveCreated, hasObject }: PendingCreate,
  { match, matchNew }: Pick<CreateRequest<T>, "match" | "matchNew">,
): T | undefined {
  const isOfRequest = (candidate: T) => (hasObject ? match(candidate) !== "different" : matchNew(candidate));
  return objects.existing().find((candidate) => {
    const id = objects.idOf(candidate);
    return objects.useOf(id) === undefined && mayHaveCreated(id) && isOfRequest(candidate);
  });
}

export class PendingContinuation<T> {
  #lagged: Promise<void> | undefined;

  constructor(
    readonly objects: ClaimedObjects<T>,
    /** Resolves when the program has registered what it has to register for now. */
    readonly registrations: { settled(): Promise<void> },
    readonly clock: Clock,
  ) {}

  /** What an earlier run has created for the same resource, and the state does not include. */
  async continue(request: CreateRequest<T>): Promise<T | undefined> {
    const { log } = request;
    if (log === undefined || !(await log.hasPending())) return undefined;
    // Made for a resource of another name: if the program still declares that, it is not this one's.
    if (log.pending().some(({ isOwn, hasObject }) => hasObject && !isOwn)) await this.registrations.settled();
    await this.find(request);
    for (const pending of log.pending()) {
      const item = findPending(this.objects, pending, request);
      const isOurs = item !== undefined && (await this.#take(pending, item, log));
      pending.forget();
      if (isOurs) return item;
    }
    return undefined;
  }

  /** Has the list show what earlier runs have created for the same resource, however late that arrives. Changes nothing. */
  async find(request: CreateRequest<T>): Promise<void> {
    const { log } = request;
    if (log === undefined || !(await log.hasPending())) return;
    if (log.pending().some((each) => findPending(this.objects, each, request) !== undefined)) return;
    this.#lagged ??= this.#readAfterLag(log.age());
    await this.#lagged;
  }

  /** False if another resource of the run has the object meanwhile. */
  async #take(pending: PendingCreate, item: T, log: PendingCreateLog): Promise<boolean> {
    // Both before anything is awaited: an equal create takes neither.
    const isClaimed = this.objects.claim(item);
    pending.take();
    if (!(await isClaimed)) return false;
    await log.begin(pending.existing);
    await log.created(this.objects.idOf(item));
    return true;
  }

  /** Reads the list again when it has had the time to show what was on its way so long ago. */
  async #readAfterLag(age: number): Promise<void> {
    const left = Math.max(0, longestLag - age);
    await this.clock.sleep(left, "the account's list, which may lack what an interrupted run created");
    await this.objects.read(0);
  }
}
