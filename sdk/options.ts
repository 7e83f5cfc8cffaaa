/** Options of a connection, of a call and of a list. */
/** How to reach an account. Defaults are in parentheses. */
export interface ConnectOptions {
  /** Base address, without `/v1`. HTTPS, except for loopback. */
  baseUrl: string;
  /**
   * The account's key, or a function that finds it when the first request needs it. The function is asked again, with
   * the key that was refused, after an answer 401.
   */
  apiKey: string | ((refused?: string) => string | Promise<string>);
  /** Most requests in flight at once, shared by all clients of one address in this process (8). */
  maxConcurrency?: number;
  /** Most requests begun per second, shared by all clients of one address and key in this process (no limit). */
  requestsPerSecond?: number;
  /**
   * Milliseconds for one call, attempts and waits between them included (30000). The clock starts with the call's first
   * turn: the time that it waits behind other calls of this process does not count.
   */
  timeout?: number;
  /** Records asked for per page of a list (50). */
  pageSize?: number;
  /** Most repetitions of a call that is safe to repeat (5). */
  retries?: number;
  /** Let values through that this version does not know, such as a new webhook type (false). */
  allowUnknownValues?: boolean;
  /** Called before each attempt. Holds no key. */
  onRequest?: (event: RequestEvent) => void;
  /** Called after each attempt. Holds no key. */
  onResponse?: (event: ResponseEvent) => void;
}

/** An attempt that is about to be sent. */
export interface RequestEvent {
  operation: string;
  method: string;
  path: string;
  /** 1 for the first attempt. */
  attempt: number;
}

/** How an attempt ended. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status; absent when no answer came. */
  status?: number;
  /** Milliseconds from the begin of the attempt. */
  elapsed: number;
  /** What went wrong, redacted. */
  error?: string;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call early. */
  signal?: AbortSignal;
  /** Milliseconds for this call, instead of the client's. */
  timeout?: number;
}

/** Where to begin a list and how much to ask for at a time. */
export interface PageOptions extends CallOptions {
  /** Position of the first record, counted from 1 (1). */
  offset?: number;
  /** Records per page (the client's `pageSize`). */
  limit?: number;
}

/** A list: iterate over its items, over its pages, or take one page. Nothing is asked before that. */
export interface PagedList<T, P> extends AsyncIterable<T> {
  /** One page, the one that {@link PageOptions} name. */
  page(): Promise<P>;
  /** Page after page, to the end. */
  pages(): AsyncIterable<P>;
  /** All items in memory. */
  all(): Promise<T[]>;
}
