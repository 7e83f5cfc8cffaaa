/** The objects of one kind in one account, as those see them that do not read the list themselves. */

/** How to reach the objects of one kind. */
export interface ListSource<T, One = unknown> {
  /** All objects from a position on, counted from 1, in the service's order. */
  list(from: number): AsyncIterable<T>;
  /** One object as the service answers it alone. Throws the service's error when there is none. */
  one(id: string): Promise<One>;
  /** False when only the list has all that is needed of an object. */
  readonly isComplete: boolean;
  idOf(item: T): string;
}

/** The objects as those see them that look for one. */
export interface ObjectList<T> {
  readonly source: ListSource<T>;
  /** All objects by id, at most `age` milliseconds old. */
  all(maxAge: number): Promise<Map<string, T>>;
  /** Tells of an object that this process has written. */
  put(item: T): void;
}

/** What is to be created. */
export interface CreateRequest<T> {
  onExisting: "adopt" | "fail" | "create";
  match(item: T): "equal" | "doubtful" | "other";
  /** As `match`, for an object that appeared while the answer was lost. */
  matchNew(item: T): boolean;
  post(): Promise<T>;
  /** True for the service's error that such an object exists already. */
  isAlreadyExistsError(error: unknown): boolean;
  /** What earlier runs have begun, where an equal object is not taken over anyhow. */
  log?: CreateLog;
}

/** Notes of creations of one object that the state may not have heard of. */
export interface CreateLog {
  /** Whether there are any. */
  hasUnfinished(): Promise<boolean>;
  /** What an earlier run has begun: with the ids of the equal objects that were there before, and of what may have come of it. */
  unfinished(): { existing: readonly string[]; mayHaveCreated(id: string): boolean; forget(): void }[];
  /** Notes the present one. */
  begin(existing: readonly string[]): Promise<void>;
  /** Notes what has come of it. */
  created(id: string): void;
  /** It surely was not made. */
  discard(): void;
}

export interface CreateResult<T> {
  item: T;
  /** `adopted`: it existed before. `claimed`: made by a request whose answer was lost. */
  how: "created" | "adopted" | "claimed";
}

/** The objects as those see them that create and delete one. */
export interface ObjectStoreHandle<T> {
  readonly creator: {
    /** Makes the object, or takes over one that is equal. */
    createOrAdopt(request: CreateRequest<T>): Promise<CreateResult<T>>;
    /** Notes an object of the state, and whether another resource of the program may take it over. */
    registerExisting(id: string, isReusable: boolean): void;
  };
  /** One object as the service answers it alone; undefined when it is gone. */
  one(id: string): Promise<unknown>;
  /** Tells of an object that this process has deleted. */
  removed(id: string): void;
}
