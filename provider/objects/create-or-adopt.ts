/**
 * Creates objects without duplicates, although a POST is not idempotent and carries no idempotency key. The objects are
 * listed once before the first create; an identical object that no resource manages is adopted; after a lost response
 * the object is looked for before the request is sent again.
 */
import { EsignError, markMayHaveSucceeded } from "../../sdk/errors";
import type { Clock } from "../core/clock";
import { Failure } from "../core/failure";
import type { CreateDecision, CreateRequest, CreateResult } from "../core/object-access";
import { CreatePlanner } from "../plan/create-planner";
import { ambiguousFailure, decideAdoption, matching } from "../plan/decide-adoption";
import { PendingContinuation } from "../recovery/continue-pending";
import { LostCreateSearch } from "../recovery/find-lost-create";
import type { Registrations } from "../session/registrations";
import type { ObjectIndex } from "./object-index";

/** How often a request is sent if its responses are lost and no object turns up: at three lost of ten, one create of 15,000 fails. */
const maxAttempts = 8;

/** What became of one request. */
type Outcome<T> =
  | { kind: "created"; item: T; error?: undefined }
  /** `exists`: the API reports that there is such an object. `lost`: no response. `foreign`: another object's id. */
  | { kind: "exists" | "lost" | "foreign"; error: unknown };

export class ObjectCreator<T> {
  readonly #lost: LostCreateSearch<T>;
  readonly #planner: CreatePlanner<T>;
  #listing: Promise<void> | undefined;
  readonly #pending: PendingContinuation<T>;

  constructor(
    readonly objects: ObjectIndex<T>,
    readonly registrations: Pick<Registrations, "settled">,
    readonly clock: Clock,
  ) {
    this.#lost = new LostCreateSearch(objects, clock);
    this.#pending = new PendingContinuation(objects, registrations, clock);
    this.#planner = new CreatePlanner(objects);
  }

  /** Registers an object of the state, and whether another resource of the program may adopt it. */
  registerExisting(id: string, isReusable: boolean): void {
    if (this.objects.useOf(id) !== "created") this.objects.setUse(id, isReusable ? "reusable" : "inUse");
    this.#planner.registered(id);
  }

  /** Creates the object, or adopts an identical one. */
  async createOrAdopt(request: CreateRequest<T>): Promise<CreateResult<T>> {
    await this.#list(request);
    const result = (await this.#continue(request)) ?? (await this.#adopt(request)) ?? (await this.#create(request));
    if (result.how !== "adopted") await this.objects.recent.record("made", this.#id(result.item), request.name);
    // What was created regardless of identical objects keeps no other resource from creating one.
    if (request.onExisting === "create") this.objects.setUse(this.#id(result.item), "inUse");
    return result;
  }

  /**
   * Finds what an interrupted run has created. Without a record of it, an identical object that no resource manages may
   * be of that run or have existed before.
   */
  async recover(request: CreateRequest<T>): Promise<T | undefined> {
    await this.#list(request);
    const isRecorded = (await request.log?.hasPending()) === true;
    const recovered = await this.#continue(request);
    if (recovered !== undefined || isRecorded) return recovered?.item;
    const other = matching(this.objects, request, "same").find(
      (item) => this.objects.useOf(this.#id(item)) === undefined,
    );
    if (other !== undefined) throw unprovenFailure(this.#id(other));
    return undefined;
  }

  /** Plans a create in a preview, where all objects are read once. */
  async plan(request: CreateRequest<T>, changed: (decision: CreateDecision<T>) => void): Promise<CreateDecision<T>> {
    await this.#list(request);
    await this.#pending.find(request);
    return this.#planner.plan(request, changed);
  }

  /** Reads the list before the first create, and what it may lack of a moment ago. */
  async #list({ name }: CreateRequest<T>): Promise<void> {
    await this.#listFirst();
    await this.objects.readRecent(name);
  }

  #listFirst(): Promise<void> {
    this.#listing ??= this.objects.readBeforeCreates().then(
      (items) => this.#lost.begin(items),
      (error) => {
        this.#listing = undefined;
        throw error;
      },
    );
    return this.#listing;
  }

  /** What an earlier run has created for the same resource, and the state does not include. */
  async #continue(request: CreateRequest<T>): Promise<CreateResult<T> | undefined> {
    const item = await this.#pending.continue(request);
    return item === undefined ? undefined : { item, how: "recovered" };
  }

  /** Decides whether an existing object becomes this resource's. */
  async #adopt(request: CreateRequest<T>): Promise<CreateResult<T> | undefined> {
    if (request.onExisting === "create") return undefined;
    const similar = this.objects.existing().filter((item) => request.match(item) !== "different");
    if (similar.length === 0) return undefined;
    // The resource that manages a matching object may be about to be registered.
    await request.settled(similar.map((item) => this.#id(item)));
    for (;;) {
      const decision = decideAdoption(this.objects, request);
      if (decision.action === "refuse") throw decision.failure;
      if (decision.action === "create") return undefined;
      if (await this.objects.claim(decision.item)) return { item: decision.item, how: "adopted" };
    }
  }

  /** Sends the request; again only if its response was lost and no object has come of it. */
  async #create(request: CreateRequest<T>): Promise<CreateResult<T>> {
    const identical = matching(this.objects, request, "same").map((item) => this.#id(item));
    await request.log?.begin(identical);
    try {
      const result = await this.#createOnce(request);
      await request.log?.created(this.#id(result.item));
      return { ...result, identical };
    } catch (error) {
      if (error instanceof EsignError && !error.mayHaveSucceeded) request.log?.discard();
      throw error;
    }
  }

  async #createOnce(request: CreateRequest<T>): Promise<CreateResult<T>> {
    let wasLost = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#send(request, wasLost);
      if (outcome.kind === "created") return { item: outcome.item, how: "created" };
      if (outcome.kind === "exists" && attempt === 1) {
        return { item: await this.#adoptReported(request, outcome.error), how: "adopted" };
      }
      wasLost ||= outcome.kind === "lost";
      const item = await this.#findLost(request).catch(() => {
        // Whether it was created cannot be seen, so the request is not sent again.
        throw outcome.error;
      });
      if (item !== undefined) return { item, how: "recovered" };
      if (attempt === maxAttempts) throw outcome.error;
    }
  }

  /** What a request without a response has created, or another one than its response has named. */
  async #findLost(request: CreateRequest<T>): Promise<T | undefined> {
    for (;;) {
      let isClaimed = Promise.resolve(true);
      const item = await this.#lost.find(request, (found) => {
        isClaimed = this.objects.claim(found);
      });
      if (item === undefined || (await isClaimed)) return item;
    }
  }

  /** Sends the request once. Throws errors that say that nothing was created. */
  async #send(request: CreateRequest<T>, wasLost: boolean): Promise<Outcome<T>> {
    let item: T;
    try {
      item = await this.#lost.send(request);
    } catch (error) {
      const isLost = error instanceof EsignError && error.mayHaveSucceeded;
      // What was lost before may still turn up, whatever this response says.
      const failure = error instanceof EsignError ? markMayHaveSucceeded(error, wasLost) : error;
      if (request.isAlreadyExistsError(error)) return { kind: "exists", error: failure };
      if (isLost) return { kind: "lost", error: failure };
      throw failure;
    }
    // What existed before was not created by this request. And an equal request whose response was lost may have
    // taken the object of this one: then its own is still to be found.
    if (!this.objects.has(this.#id(item)) && (await this.objects.claim(item))) return { kind: "created", item };
    return { kind: "foreign", error: foreignIdFailure() };
  }

  /** The API reports that the object exists, and no response was lost: it existed before. */
  async #adoptReported(request: CreateRequest<T>, error: unknown): Promise<T> {
    if (request.onExisting !== "adopt") throw error;
    const items = [...(await this.objects.listObjects(0)).values()];
    const useOf = (item: T) => this.objects.useOf(this.#id(item));
    const same = items.find((item) => request.match(item) === "same" && [undefined, "reusable"].includes(useOf(item)));
    if (same !== undefined && (await this.objects.claim(same))) return same;
    const ambiguous = items.find((item) => request.match(item) === "ambiguous" && useOf(item) === undefined);
    throw ambiguous === undefined ? error : ambiguousFailure(this.#id(ambiguous));
  }

  #id(item: T): string {
    return this.objects.idOf(item);
  }
}

const unprovenFailure = (id: string) =>
  new Failure(
    "ESIGN1018",
    `an identical one exists (id ${id}), and no record in .esign/pending-creates shows whether the interrupted deployment has created it`,
  );

const foreignIdFailure = () => new Failure("ESIGN1015", "the API kept returning the ID of a different object");
