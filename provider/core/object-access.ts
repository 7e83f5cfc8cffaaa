/** The interface by which adoption and recovery read and create the objects of one kind in one account, without knowing the kind. */

/** How the API gives access to the objects of one kind. */
export interface ListSource<T, One = unknown> {
  /** All objects from a position on, counted from 1, in the API's order. */
  list(from: number): AsyncIterable<T>;
  /** One object by its id. Throws the API's error if it does not exist. */
  one(id: string): Promise<One>;
  /** False if an object that the list does not have yet is of no use: only the list has all that is needed. */
  readonly isComplete: boolean;
  idOf(item: T): string;
  /** Where another process reads the list for many. */
  readonly shared?: SharedListing<T> | undefined;
}

/** A list that one process reads for many. What must be new, such as just before a write, is read by each one itself. */
export interface SharedListing<T> {
  /** Milliseconds that it may be old where a refresh may use it. */
  readonly maxAge: number;
  /** The list, and its age in milliseconds; undefined if there is none. */
  read(): Promise<{ items: readonly T[]; age: number } | undefined>;
  /** False if an earlier run may have created what the list does not show yet. */
  isEnoughForCreates(): boolean;
}

/** The objects of one kind in one account that were made or deleted so short a time ago that reads may not show it yet. */
export interface RecentObjectsHandle {
  /**
   * The IDs of those that exist and a read may lack, with the milliseconds for which it may. `name`: only what may be identified by it.
   */
  made(name?: string): Promise<Map<string, number>>;
  /** The IDs of those that no longer exist and a read may have. */
  deleted(): Promise<readonly string[]>;
  /** Records what this process has done now. `name`: what identifies the object by its arguments. */
  record(event: "made" | "deleted", id: string, name?: string): Promise<void>;
  /** Takes a new object for one create, of all processes. False if another create has it. */
  claim(id: string): Promise<boolean>;
  /** Records when a state says that its object was made, or not later than that. */
  note(id: string, madeAt: number | undefined): void;
}

/** What is to be created. */
export interface CreateRequest<T> {
  /** What identifies the object in its account, by the arguments. */
  name: string;
  onExisting: "adopt" | "fail" | "create";
  match(item: T): Match;
  /** True for an object that may have come of this request after its response was lost. */
  matchNew(item: T): boolean;
  /** Resolves when the program has registered what may have one of these objects. */
  settled(ids: readonly string[]): Promise<void>;
  post(): Promise<T>;
  /** True for the API's error that such an object exists already. */
  isAlreadyExistsError(error: unknown): boolean;
  /** Creates of earlier runs. */
  log?: PendingCreateLog;
}

/** Whether an existing object is the declared one. */
export type Match = "same" | "ambiguous" | "different";

/** Creates of one object that the state may not include. */
export interface PendingCreateLog {
  /** Milliseconds since the latest create of an earlier run began, or ended. */
  age(): number;
  /** Resolves to whether earlier runs have left any. */
  hasPending(): Promise<boolean>;
  /** Creates of earlier runs, with the ids of the identical objects that existed before them. */
  pending(): PendingCreate[];
  /** Records a create that is about to be sent. */
  begin(existing: readonly string[]): Promise<void>;
  /** Records its outcome. */
  created(id: string): Promise<void>;
  /** It surely was not created. */
  discard(): void;
}

/** A create of an earlier run. */
export interface PendingCreate {
  /** Ids of the identical objects that existed before it. */
  existing: readonly string[];
  /** True if the resource itself has sent it, by its name. */
  isOwn: boolean;
  /** True if it is known which object it created: the state may have it, as that of another name by now. */
  hasObject: boolean;
  /** It was surely sent with the current key to the current address. */
  isOfCurrentKey: boolean;
  mayHaveCreated(id: string): boolean;
  /** No other create of this run continues it. */
  take(): void;
  forget(): void;
}

/**
 * What becomes of a create. `recover`: an earlier run that was interrupted has created it. `identical`: the ids of the
 * identical objects that exist.
 */
export type CreateDecision<T> =
  | { action: "adopt" | "recover"; item: T }
  | { action: "create"; identical: string[] }
  | { action: "refuse"; failure: Error };

export interface CreateResult<T> {
  item: T;
  /** `adopted`: it existed before. `recovered`: created by a request whose response was lost. */
  how: "created" | "adopted" | "recovered";
  /** Ids of the identical objects that existed before it. */
  identical?: readonly string[];
}

/** What creating and deleting an object needs of the others of its kind. */
export interface ObjectStoreHandle<T> {
  readonly creator: {
    /** Creates the object, or adopts an identical one. */
    createOrAdopt(request: CreateRequest<T>): Promise<CreateResult<T>>;
    /** What `createOrAdopt` would do, by the same rules; `changed` is called if a resource of the state changes that. */
    plan(request: CreateRequest<T>, changed: (decision: CreateDecision<T>) => void): Promise<CreateDecision<T>>;
    /** Finds what an earlier run has created, without creating or adopting anything. Undefined if it surely is nothing. */
    recover(request: CreateRequest<T>): Promise<T | undefined>;
    /** Registers an object of the state, and whether another resource of the program may adopt it. */
    registerExisting(id: string, isReusable: boolean): void;
  };
  /** All objects by id, at most `maxAge` milliseconds old. */
  all(maxAge: number): Promise<Map<string, T>>;
  /** Resolves to whether an object is gone. `left`: milliseconds for which a read may still show one that was just deleted. */
  isGone(id: string, left: number): Promise<boolean>;
  /** Records that this process has deleted an object. */
  removed(id: string): Promise<void>;
  /** Those that were made or deleted a moment ago. */
  readonly recent: RecentObjectsHandle;
}
