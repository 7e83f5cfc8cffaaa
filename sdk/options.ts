/** Options of a client, of a call and of a list. */

import type { Edition } from "./edition";

/** How to reach an account. Defaults are in parentheses. */
export interface ConnectOptions {
  /** Base URL, without `/v1`. HTTPS, except for loopback. */
  baseUrl: string;
  /**
   * The account's key, or a function that returns it when the first request needs it. After a 401 the function is called again,
   * with the rejected key.
   */
  apiKey: string | ((rejected?: string) => string | Promise<string>);
  /** Most requests in progress at once, shared by all clients of this host in the process (8). */
  maxConcurrency?: number | undefined;
  /** Most requests started per second, shared by all clients of this host and key in the process (no limit). */
  requestsPerSecond?: number | undefined;
  /**
   * Milliseconds for one call, including retries and the waits between them (30000). Waiting for other calls of the process does
   * not count.
   */
  timeout?: number | undefined;
  /** Records to request per page of a list, at most 50 (50). */
  pageSize?: number | undefined;
  /** Most retries of a call that is safe to retry (5). */
  retries?: number | undefined;
  /**
   * The service's interface: that of the specification, with form-encoded bodies, or the current one, with JSON bodies (specification).
   * Either way, the client recognizes how the service counts and what it returns.
   */
  edition?: Edition | undefined;
  /** Accept any enum value that this version does not know, without a warning (false). Webhook types that look new are accepted anyway. */
  allowUnknownValues?: boolean | undefined;
  /** Called before each attempt. The event contains no key. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called after each attempt. The event contains no key. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /**
   * Called before each attempt, which waits for the promise: for a budget of requests that several processes share. If the promise
   * rejects, the call rejects with its error, and the attempt is not sent.
   */
  waitForTurn?: (() => Promise<void>) | undefined;
  /**
   * Called right before each attempt of a call that changes something. If it returns a reason, the attempt is not sent and the call
   * rejects with an `AbortedError` that names the reason: for programs that shut down in an orderly way.
   */
  refuseWrite?: (() => string | undefined) | undefined;
  /**
   * Companies of a partner that are known without a request, such as from another process. Called once, before the client reads the list
   * to find the key of a subaccount. If it rejects, the waiting calls reject too, and the next call tries again.
   */
  knownCompanies?: (() => Promise<Iterable<KnownCompany> | undefined>) | undefined;
  /**
   * Called when the list of companies lacks a subaccount, or its key. If the promise resolves to true, the client reads the list again:
   * for a company that was just created, where lists lag behind writes.
   */
  isListedLater?: ((companyId: string) => Promise<boolean>) | undefined;
  /** Called when a write changed nothing, since the key is a test key (a warning of the process, once per client). */
  onTestKey?: ((event: TestKeyEvent) => void) | undefined;
  /** Called when a request has an enum value that is new to this version (a warning of the process, once per client and value). */
  onNewValue?: ((event: NewValueEvent) => void) | undefined;
  /** Called when a call waits for two seconds or more: for a response, its next attempt, its turn, or the service's Retry-After. */
  onWait?: ((event: WaitEvent) => void) | undefined;
}

/** Options that have a value: the caller's or the default. */
export type WithDefaults<Name extends keyof ConnectOptions> = { [K in Name]: NonNullable<ConnectOptions[K]> };

/** What a call waits for. */
export interface WaitEvent {
  operation: string;
  /**
   * `throttling`: the service takes no request with this key before a time that it has named. `queue`: other requests with this key
   * go first, at the rate or in the number that the options and the service allow. `turn`: `waitForTurn` has not resolved.
   */
  reason: "response" | "retry" | "throttling" | "queue" | "turn";
  /**
   * Milliseconds until the wait ends: at most, for a response; an estimate from the responses of the last second, in a queue. Absent for
   * a `turn`, and for a response where `timeout` is infinite.
   */
  remaining?: number;
  /** What it waits for, and how long. */
  message: string;
  /** Resolves when the call does not wait for this any more. */
  ended: Promise<void>;
}

/** An enum value that is not documented, in a request that is about to be sent. */
export interface NewValueEvent {
  operation: string;
  field: string;
  /** The value, the documented ones, and what becomes of it. */
  message: string;
}

/** A company with its key, as the list has them. */
export interface KnownCompany {
  company_id: string;
  company_api_key?: string | null | undefined;
}

/** A write that changed nothing, although the service reports success. */
export type TestKeyEvent = Pick<RequestEvent, "operation" | "method" | "path">;

/** An attempt that is about to be sent. */
export interface RequestEvent {
  operation: string;
  method: string;
  path: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** The subaccount whose key the call has; absent for the configured key. */
  companyId?: string;
  /** Names of the members of the body. */
  fields?: readonly string[];
}

/** How an attempt ended. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status; undefined without a response. */
  status?: number;
  /** Milliseconds since the attempt was started. */
  elapsed: number;
  /** Milliseconds for which the attempt waited before it was sent: for the rate limit, or after a failed attempt. */
  waited: number;
  /** The service's id of the request, where it returns one. */
  requestId?: string;
  /** What went wrong, redacted. */
  error?: string;
  /** True if the service may have applied a write that failed. */
  mayHaveSucceeded?: boolean;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for this call, instead of the client's. */
  timeout?: number | undefined;
}

/** Where a list begins, and its page size. */
export interface PageOptions extends CallOptions {
  /** Position of the first record, counted from 1 whether or not the service counts so (1). */
  offset?: number | undefined;
  /** Records per page, at most 50 (the client's `pageSize`). */
  limit?: number | undefined;
}

/** A list: iterate over its items or pages, or get one page. Nothing is requested before that. */
export interface PagedList<T, P> extends AsyncIterable<T> {
  /** The page that {@link PageOptions} select. */
  page(): Promise<P>;
  /** All pages, one by one. */
  pages(): AsyncIterable<P>;
  /** All items, in memory. */
  all(): Promise<T[]>;
}
