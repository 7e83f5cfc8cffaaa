/** One call in progress: waits for the rate limiter, sends, and tries again, as often as it takes. */
import type { Credential, Credentials } from "../auth/credentials";
import {
  AbortedError,
  ApiError,
  type CallContext,
  type EsignError,
  markKeyAccepted,
  markMayHaveSucceeded,
} from "../errors";
import { abortable, sleep } from "../http/abortable-waits";
import { describeCall } from "../http/parse-response";
import type { Permit } from "../http/rate-limiter";
import type { Redactor } from "../http/redact";
import { type FailedAttempt, retryDelay } from "../http/retry-policy";
import type { ConnectOptions, WithDefaults } from "../options";
import { noticeableWait, type Wait, waitEvent } from "./announce-waits";
import { attempt, notify } from "./attempt";
import { BodyEncoding } from "./body-encoding";
import { attemptTimeout, CallTime } from "./call-time";
import { RetryCount } from "./retry-count";
import type { ServiceTraits } from "./service-traits";
import type { CompiledEndpoint } from "./validate-input";

/** Options with their defaults filled in. */
export type Settings = Pick<
  ConnectOptions,
  | "onRequest"
  | "onResponse"
  | "waitForTurn"
  | "refuseWrite"
  | "knownCompanies"
  | "isListedLater"
  | "onTestKey"
  | "onNewValue"
  | "onWait"
  | "requestsPerSecond"
> &
  WithDefaults<"maxConcurrency" | "timeout" | "pageSize" | "retries" | "edition" | "allowUnknownValues">;

interface CallRequest {
  endpoint: CompiledEndpoint;
  context: CallContext;
  path: string;
  fields: Record<string, unknown> | undefined;
  /** Milliseconds for the call as a whole. */
  timeout: number;
  signal: AbortSignal | undefined;
}

/** What a call needs of the account. */
export interface Connection {
  readonly origin: string;
  readonly credentials: Credentials;
  readonly settings: Settings;
  readonly service: ServiceTraits;
  readonly redactor: Redactor;
}

const noTurn: Wait = { reason: "turn", remaining: undefined, cause: `no turn for ${noticeableWait / 1000} s` };
const throttled = { reason: "throttling", cause: "the service takes no requests with this key" } as const;

export class ApiCall {
  readonly #body: BodyEncoding;
  readonly #time: CallTime;
  readonly #retries: RetryCount;
  #credential!: Credential;
  #isKeyRefreshed = false;
  #mayHaveSucceeded = false;

  constructor(
    readonly connection: Connection,
    readonly request: CallRequest,
  ) {
    const { fields, timeout, endpoint } = request;
    this.#body = new BodyEncoding(fields, connection.service);
    this.#time = new CallTime(timeout);
    this.#retries = new RetryCount(connection.settings.retries, endpoint.endpoint.idempotent);
  }

  async run(): Promise<Record<string, unknown>> {
    const { endpoint } = this.request.endpoint;
    this.#credential = this.connection.credentials.current ?? (await this.#findKey(undefined));
    let isConfirmed = false;
    for (let number = 1; ; number++) {
      const outcome = await this.#attempt(number);
      if ("error" in outcome) {
        if (!this.#body.changeAfter(outcome.error)) await this.#waitForRetry(outcome, number);
        continue;
      }
      // A suspicious response counts when it comes twice.
      if (isConfirmed || !endpoint.isSuspicious?.(outcome.body)) return outcome.body;
      isConfirmed = true;
    }
  }

  async #attempt(number: number) {
    const asked = performance.now();
    const permit = await this.#acquire();
    try {
      return await this.#send(permit, asked, number);
    } finally {
      // Of a call whose callback has thrown.
      permit.release("failed");
    }
  }

  async #send(permit: Permit, asked: number, number: number) {
    const { origin, settings: callbacks, redactor } = this.connection;
    const { endpoint, context, path, signal, fields = {}, timeout: callTimeout } = this.request;
    const { limiter, authorization } = this.#credential;
    const { method, idempotent } = endpoint.endpoint;
    const refusal = method === "GET" ? undefined : callbacks.refuseWrite?.();
    if (refusal !== undefined) throw this.#unsent(`was not sent: ${refusal}`);
    this.#retries.begin(limiter);
    const { waited, left } = this.#time.begin(asked, permit.since);
    const timeout = attemptTimeout(left, idempotent);
    const { body } = this.#body;
    const request = {
      origin,
      connections: callbacks.maxConcurrency,
      method,
      path,
      authorization,
      body,
      timeout,
      signal,
    };
    const names = Object.keys(fields);
    const cause = `no response for ${noticeableWait / 1000} s`;
    const stopWatching = this.#watch(() => ({ reason: "response", remaining: timeout - noticeableWait, cause }));
    const sent = {
      endpoint,
      context,
      request,
      number,
      permit,
      waited,
      fields: names,
      callTimeout,
      redactor,
      callbacks,
    };
    const outcome = await attempt(sent).finally(stopWatching);
    this.#time.end();
    if ("error" in outcome) this.#noteRefusal(outcome.error);
    else {
      this.#body.accept();
      this.#credential.isAccepted = true;
      if (endpoint.endpoint.partner) this.#credential.isPartner = true;
    }
    return outcome;
  }

  /** A call that only partners may make is refused, with a key that is good for all others. */
  #noteRefusal(error: EsignError): void {
    const { isAccepted, isPartner } = this.#credential;
    if (this.request.endpoint.endpoint.partner && isAccepted && !isPartner) markKeyAccepted(error);
  }

  async #acquire(): Promise<Permit> {
    const { settings } = this.connection;
    const { signal } = this.request;
    const { limiter } = this.#credential;
    const turn = settings.waitForTurn?.();
    if (turn !== undefined) await abortable(Promise.resolve(turn), signal).finally(this.#watch(() => noTurn));
    const blocked = limiter.blockedFor;
    const isBlocked = blocked >= noticeableWait;
    const endBlock = isBlocked ? this.#reportWait({ ...throttled, remaining: blocked }) : () => {};
    const stopWatching = this.#watch(() => {
      // That was reported when it began.
      if (limiter.blockedFor > 0) return undefined;
      const cause = `${limiter.waiting} requests with this key wait for their turn`;
      return { reason: "queue", remaining: limiter.queueTime, cause };
    });
    return limiter
      .acquire(settings, signal)
      .catch(() => {
        throw this.#aborted("while it waited for the rate limiter");
      })
      .finally(() => {
        endBlock();
        stopWatching();
      });
  }

  /** Returns when it is time for the next attempt; throws if the call has failed. */
  async #waitForRetry(failed: FailedAttempt, number: number): Promise<void> {
    const { error, retryAfter } = failed;
    this.#mayHaveSucceeded ||= error.mayHaveSucceeded;
    if (await this.#refreshKey(error)) return;
    const delay = Math.max(retryAfter ?? 0, retryDelay(number));
    if (delay >= this.#time.left || !this.#retries.take(failed))
      throw markMayHaveSucceeded(error, this.#mayHaveSucceeded);
    const isThrottled = error instanceof ApiError && error.status === 429;
    const wait: Wait = { reason: "retry", remaining: delay, cause: error.summary, isThrottled };
    const end = delay >= noticeableWait ? this.#reportWait(wait) : () => {};
    if (!(await sleep(delay, this.request.signal).finally(end))) throw this.#aborted("between two attempts");
  }

  /** Reports something that takes its time; the result ends that. */
  #watch(describe: () => Wait | undefined): () => void {
    if (this.connection.settings.onWait === undefined) return () => {};
    let end = () => {};
    const timer = setTimeout(() => {
      const wait = describe();
      if (wait !== undefined) end = this.#reportWait(wait);
    }, noticeableWait);
    return () => {
      clearTimeout(timer);
      end();
    };
  }

  /** The result says that it has ended. */
  #reportWait(wait: Wait): () => void {
    const { onWait } = this.connection.settings;
    if (onWait === undefined) return () => {};
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    notify(onWait, waitEvent(this.request.endpoint.name, wait, ended));
    return end;
  }

  /** Requests a new key once after a 401; false without one. */
  async #refreshKey(error: EsignError): Promise<boolean> {
    const isUnauthorized = error instanceof ApiError && error.status === 401;
    if (!isUnauthorized || this.#isKeyRefreshed || !this.connection.credentials.canChange) return false;
    this.#isKeyRefreshed = true;
    const other = await this.#findKey(this.#credential.key);
    if (other.key === this.#credential.key) return false;
    this.#credential = other;
    return true;
  }

  /** Other calls may wait for the same key: aborting this call does not end the search. */
  async #findKey(rejected: string | undefined): Promise<Credential> {
    const credential = await abortable(this.connection.credentials.find(rejected), this.request.signal);
    if (credential === undefined) throw this.#aborted("while it waited for the API key");
    return credential;
  }

  #aborted(when: string): AbortedError {
    return this.#unsent(`was aborted ${when}`);
  }

  #unsent(what: string): AbortedError {
    const { context } = this.request;
    const error = new AbortedError(`${describeCall(context)} ${what}`, context);
    return markMayHaveSucceeded(error, this.#mayHaveSucceeded);
  }
}
