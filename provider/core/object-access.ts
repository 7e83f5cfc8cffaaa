/** Interfaces between adoption and recovery, which know no kind, and the objects of one kind in one account. */

/** How the API gives access to the objects of one kind. */
export interface ListSource<T, One = unknown> {
  /** All objects in the API's order, starting at a position that is counted from 1. */
  list(from: number): AsyncIterable<T>;
  /** One object by its id. Throws the API's error if it does not exist. */
  one(id: string): Promise<One>;
  /** False if `one` returns less than the list, so that an object must be in the list to be used. */
  readonly oneHasAllData: boolean;
  idOf(item: T): string;
  /** The list as another process reads it for several stacks, if there is such a process. */
  readonly shared?: SharedListing<T> | undefined;
}

/**
 * A list that one process reads for several stacks. When the newest data is needed, such as right before a write, each stack reads it
 * itself.
 */
export interface SharedListing<T> {
  /** Maximum age of the list in milliseconds, for a refresh. */
  readonly maxAge: number;
  /** The list, and its age in milliseconds; undefined if it is not available. */
  read(): Promise<{ items: readonly T[]; age: number } | undefined>;
  /** False if an earlier run may have created an object that the list does not show yet. */
  isEnoughForCreates(): boolean;
}

/** Objects of one kind in one account that were created or deleted so recently that reads may not show it yet. */
export interface RecentObjectsHandle {
  /**
   * IDs of existing objects that a read may not show, each with the milliseconds until every read shows it. `name`: only those that may
   * have this name.
   */
  made(name?: string): Promise<Map<string, number>>;
  /** IDs of deleted objects that a read may still show. */
  deleted(): Promise<readonly string[]>;
  /** Records that this process has just created or deleted an object. `name`: what identifies the object by its arguments. */
  record(event: "made" | "deleted", id: string, name?: string): Promise<void>;
  /** Claims an object for one create, among all processes of the run. False if another create has claimed it. */
  claim(id: string): Promise<boolean>;
  /** Records when an object in the state was created; undefined if that is not known. */
  note(id: string, madeAt: number | undefined): void;
}

/**
 * What resources do with an object, which decides whether another one may adopt it. `created`: a create of this process made or adopted
 * it. `reusable`: a resource of the state has it and leaves it unchanged, so that a renamed or replaced resource may adopt it. `inUse`: a
 * resource changes it, or has asked for an object of its own with `onExisting: "create"`.
 */
export type ObjectUse = "created" | "reusable" | "inUse";

/** The objects that exist for all that this process knows. */
export interface ExistingObjects<T> {
  existing(): T[];
  idOf(item: T): string;
  /** What resources do with an object; undefined if none manages it. */
  useOf(id: string): ObjectUse | undefined;
}

/** What is to be created. */
export interface CreateRequest<T> {
  /** Identifies the object in its account, by its arguments. */
  name: string;
  onExisting: "adopt" | "fail" | "create";
  match(item: T): Match;
  /** True for an object that this request may have created before its response was lost. */
  matchNew(item: T): boolean;
  /** Resolves when the program has registered the resources that may manage one of these objects. */
  settled(ids: readonly string[]): Promise<void>;
  post(): Promise<T>;
  /** True if the API's error means that such an object exists already. */
  isAlreadyExistsError(error: unknown): boolean;
  /** Records this create, and knows those of earlier runs. */
  log?: PendingCreateLog;
}

/** Whether an existing object is the declared one. */
export type Match = "same" | "ambiguous" | "different";

/** Creates of one object that may be missing from the state. */
export interface PendingCreateLog {
  /** Milliseconds since the latest create of an earlier run began or ended. */
  age(): number;
  /** Resolves to whether earlier runs have left pending creates. */
  hasPending(): Promise<boolean>;
  /** The pending creates of earlier runs. */
  pending(): PendingCreate[];
  /** Records that the request is about to be sent. */
  begin(existing: readonly string[]): Promise<void>;
  /** Records the created object. */
  created(id: string): Promise<void>;
  /** Records that certainly no object was created. */
  discard(): void;
}

/** A create that an earlier run has left pending. */
export interface PendingCreate {
  /** IDs of the identical objects that existed before it was sent. */
  existing: readonly string[];
  /** True if the same resource, by its name, sent it. */
  isOwn: boolean;
  /** True if the object that it created is known. The state may have that object under another resource name. */
  hasObject: boolean;
  /** True if it was certainly sent with the current key to the current address. */
  isOfCurrentKey: boolean;
  mayHaveCreated(id: string): boolean;
  /** Reserves it: no other create of this run may continue it. */
  take(): void;
  forget(): void;
}

/**
 * What to do about a create. `recover`: use the object that an interrupted earlier run created. `identical`: IDs of the existing
 * identical objects.
 */
export type CreateDecision<T> =
  | { action: "adopt" | "recover"; item: T }
  | { action: "create"; identical: string[] }
  | { action: "refuse"; failure: Error };

export interface CreateResult<T> {
  item: T;
  /** `adopted`: the object existed before. `recovered`: a request whose response was lost created it. */
  how: "created" | "adopted" | "recovered";
  /** IDs of the identical objects that existed before. */
  identical?: readonly string[];
}

/** Creates, finds and deletes the objects of one kind in one account. */
export interface ObjectStoreHandle<T> {
  readonly creator: {
    /** Creates the object, or adopts an identical one. */
    createOrAdopt(request: CreateRequest<T>): Promise<CreateResult<T>>;
    /** What `createOrAdopt` would do. Calls `changed` with the new decision if a resource in the state changes it. */
    plan(request: CreateRequest<T>, changed: (decision: CreateDecision<T>) => void): Promise<CreateDecision<T>>;
    /** Finds the object that an earlier run created; neither creates nor adopts anything. Undefined if there is certainly none. */
    recover(request: CreateRequest<T>): Promise<T | undefined>;
    /** Registers an object in the state. `isReusable`: whether another resource of the program may adopt it. */
    registerExisting(id: string, isReusable: boolean): void;
  };
  /** All objects by ID, read at most `maxAge` milliseconds ago. */
  all(maxAge: number): Promise<Map<string, T>>;
  /** Resolves to whether an object is deleted. `left`: milliseconds for which reads may still show an object that was just deleted. */
  isGone(id: string, left: number): Promise<boolean>;
  /** Records that this process has deleted an object. */
  removed(id: string): Promise<void>;
  /** Objects that were created or deleted recently. */
  readonly recent: RecentObjectsHandle;
}
