/** Sends any operation of any endpoint: checks the input, waits for the rate limiter, sends, and retries. */

import { encodeBody } from "../api/endpoint";
import { type Credential, Credentials, type KeySource } from "../auth/credentials";
import type { Edition } from "../edition";
import { findNewValues } from "../enums";
import { AbortedError, ApiError, type CallContext, type EsignError, markMayHaveSucceeded } from "../errors";
import { abortable, raiseListenerLimit, sleep } from "../http/abort";
import { describeCall } from "../http/parse-response";
import type { Permit } from "../http/rate-limiter";
import type { Redactor } from "../http/redact";
import { attemptTimeout, type FailedAttempt, mayRetry, retryDelay } from "../http/retry-policy";
import type { RequestBody } from "../http/send";
import type { CallOptions, ConnectOptions, WaitEvent } from "../options";
import { attempt, callHook } from "./attempt";
import type { ServiceTraits } from "./service-traits";
import { buildRequest, type CompiledEndpoint } from "./validate-input";
import { noticeableWait, waitEvent } from "./waits";

/** Options with their defaults filled in. */
export type Settings = Pick<
  ConnectOptions,
  | "onRequest"
  | "onResponse"
  | "waitForTurn"
  | "knownCompanies"
  | "onTestKey"
  | "onNewValue"
  | "onWait"
  | "requestsPerSecond"
> &
  Required<
    Pick<ConnectOptions, "maxConcurrency" | "timeout" | "pageSize" | "retries" | "edition" | "allowUnknownValues">
  >;

type Body = Record<string, unknown>;

/** The API's code for a body of another content type than it takes. */
const wrongContentType = 10007;

/** One account at one base URL. */
export class AccountConnection {
  readonly origin: string;
  /** Path of the base URL, before every path of the API. */
  readonly prefix: string;
  readonly credentials: Credentials;

  constructor(
    readonly baseUrl: string,
    readonly settings: Settings,
    readonly service: ServiceTraits,
    readonly redactor: Redactor,
    source: string | KeySource,
    /** Called with every response of a partner endpoint: those contain keys. */
    readonly onPartnerResponse: (body: Body) => void,
    /** The subaccount; undefined for the account of the configured key. */
    readonly companyId: string | undefined,
  ) {
    const url = new URL(baseUrl);
    this.origin = url.origin;
    this.prefix = url.pathname.replace(/\/+$/, "");
    this.credentials = new Credentials(this.origin, source, redactor);
  }

  /** Calls an endpoint. */
  async call(endpoint: CompiledEndpoint, input: Record<string, unknown>, options: CallOptions = {}): Promise<Body> {
    const { path, fields } = buildRequest(endpoint, input, this.settings, options);
    const { method, partner } = endpoint.endpoint;
    const { companyId } = this;
    const context: CallContext = { operation: endpoint.name, method, path: this.redactor.redact(path), companyId };
    const { signal, timeout = this.settings.timeout } = options;
    if (signal?.aborted) throw new AbortedError(`${describeCall(context)} was aborted before it started`, context);
    if (signal !== undefined) raiseListenerLimit(signal);
    if (!this.settings.allowUnknownValues) {
      for (const found of findNewValues(endpoint.shape, input)) {
        callHook(this.settings.onNewValue, { operation: endpoint.name, ...found });
      }
    }
    const response = await new ApiCall(this, endpoint, context, this.prefix + path, fields, timeout, signal).run();
    if (partner) this.onPartnerResponse(response);
    if (response.test === true && method !== "GET") {
      callHook(this.settings.onTestKey, { operation: endpoint.name, method, path: context.path! });
    }
    return response;
  }
}

/** One call in progress: as many attempts as it takes. */
class ApiCall {
  #credential!: Credential;
  /** Runs from the first permit and stops while the call waits for another: waiting for other calls does not count. */
  #deadline: number | undefined;
  #mayHaveSucceeded = false;
  #isKeyRefreshed = false;
  #isConfirmed = false;
  /** The edition in whose encoding the body was sent, and the one to use since the service has refused that. */
  #sentAs: Edition | undefined;
  #body: RequestBody | undefined;
  #bodies: Edition | undefined;
  #retries = 0;
  /** How many responses the limiter had seen when the call was last throttled, or before the first attempt. */
  #answered: number | undefined;
  /** Since when it has been waiting for its next attempt. */
  #idleSince = performance.now();

  constructor(
    readonly connection: AccountConnection,
    readonly endpoint: CompiledEndpoint,
    readonly context: CallContext,
    readonly path: string,
    readonly fields: Record<string, unknown> | undefined,
    readonly timeout: number,
    readonly signal: AbortSignal | undefined,
  ) {}

  async run(): Promise<Body> {
    const { endpoint } = this.endpoint;
    this.#credential = this.connection.credentials.current ?? (await this.#findKey(undefined));
    for (let number = 1; ; number++) {
      const outcome = await this.#attempt(number);
      if ("error" in outcome) {
        if (!this.#encodeOtherwise(outcome.error)) await this.#waitForRetry(outcome, number);
      }
      // A suspicious response counts when it comes twice.
      else if (!this.#isConfirmed && endpoint.isSuspicious?.(outcome.body)) this.#isConfirmed = true;
      else return outcome.body;
    }
  }

  async #attempt(number: number) {
    const permit = await this.#acquire();
    const { endpoint, context, path, signal, timeout: callTimeout } = this;
    const { origin, settings: hooks, redactor, service } = this.connection;
    const body = this.#encode(this.#bodies ?? service.bodies);
    const { limiter, authorization } = this.#credential;
    this.#answered ??= limiter.answered;
    this.#deadline ??= permit.since + callTimeout;
    const { method, idempotent } = endpoint.endpoint;
    const timeout = attemptTimeout(this.#deadline - permit.since, idempotent);
    const connections = hooks.maxConcurrency;
    const request = { origin, connections, method, path, authorization, body, timeout, signal };
    const [waited, fields] = [Math.max(0, permit.since - this.#idleSince), Object.keys(this.fields ?? {})];
    const sent = { endpoint, context, request, number, permit, waited, fields, callTimeout, redactor, hooks };
    const stopWatching = this.#watchResponse(timeout);
    const outcome = await attempt(sent).finally(stopWatching);
    this.#idleSince = performance.now();
    if (this.#bodies !== undefined && !("error" in outcome)) service.bodies = this.#bodies;
    return outcome;
  }

  /** Once for all attempts in one encoding: a document may be large. */
  #encode(edition: Edition): RequestBody | undefined {
    if (this.#sentAs === edition) return this.#body;
    this.#sentAs = edition;
    this.#body = this.fields && encodeBody(this.fields, edition);
    return this.#body;
  }

  async #acquire(): Promise<Permit> {
    const start = performance.now();
    let permit: Permit;
    const turn = this.connection.settings.waitForTurn?.();
    if (turn !== undefined) await abortable(Promise.resolve(turn), this.signal);
    const { blockedFor } = this.#credential.limiter;
    if (blockedFor >= noticeableWait)
      this.#reportWait("throttling", blockedFor, "the service takes no requests before that");
    try {
      permit = await this.#credential.limiter.acquire(this.connection.settings, this.signal);
    } catch {
      throw this.#aborted("while it waited for the rate limiter");
    }
    if (this.#deadline !== undefined) this.#deadline += permit.since - start;
    return permit;
  }

  /** Returns when it is time for the next attempt; throws if the call has failed. */
  async #waitForRetry(failed: FailedAttempt, number: number): Promise<void> {
    const { error, retryability, throttled, retryAfter } = failed;
    const { settings } = this.connection;
    this.#mayHaveSucceeded ||= error.mayHaveSucceeded;
    if (await this.#refreshKey(error)) return;
    const { limiter } = this.#credential;
    const delay = Math.max(retryAfter ?? 0, retryDelay(number));
    const timeLeft = this.#deadline! - performance.now();
    // While the service responds to others, a throttled call's turn will come: only its timeout ends that.
    const isStarved = throttled && settings.retries > 0 && limiter.answered > this.#answered!;
    this.#answered = limiter.answered;
    if (!isStarved) this.#retries++;
    const isRetryable =
      mayRetry(retryability, this.endpoint.endpoint.idempotent) &&
      this.#retries <= settings.retries &&
      delay < timeLeft;
    // Throttled calls need no retry budget: the rate limiter bounds them.
    if (!isRetryable || !(throttled || limiter.takeRetry())) throw markMayHaveSucceeded(error, this.#mayHaveSucceeded);
    if (delay >= noticeableWait) this.#reportWait("retry", delay, error.message);
    if (!(await sleep(delay, this.signal))) throw this.#aborted("between two attempts");
  }

  /** Reports a response that takes its time; the result ends that. */
  #watchResponse(timeout: number): () => void {
    if (this.connection.settings.onWait === undefined) return () => {};
    const cause = `no response for ${noticeableWait / 1000} s`;
    const timer = setTimeout(() => this.#reportWait("response", timeout - noticeableWait, cause), noticeableWait);
    return () => clearTimeout(timer);
  }

  #reportWait(reason: WaitEvent["reason"], remaining: number, cause: string): void {
    const { onWait } = this.connection.settings;
    if (onWait !== undefined) callHook(onWait, waitEvent(this.endpoint.name, reason, remaining, cause));
  }

  /** True, once, if the service has refused the body for its encoding alone: it has done nothing, and may take the other one. */
  #encodeOtherwise(error: EsignError): boolean {
    const isRefused = error instanceof ApiError && (error.code === wrongContentType || error.status === 415);
    if (!isRefused || this.fields === undefined || this.#bodies !== undefined) return false;
    this.#bodies = this.#sentAs === "current" ? "specification" : "current";
    return true;
  }

  /** Requests a new key once after a 401; false without one. */
  async #refreshKey(error: EsignError): Promise<boolean> {
    const isUnauthorized = error instanceof ApiError && error.status === 401;
    if (!isUnauthorized || this.#isKeyRefreshed || !this.connection.credentials.canChange) return false;
    this.#isKeyRefreshed = true;
    const other = await this.#findKey(this.#credential.key);
    if (other.key === this.#credential.key) return false;
    this.#credential = other;
    this.#answered = undefined;
    return true;
  }

  /** Other calls may wait for the same key: aborting this call does not end the search. */
  async #findKey(rejected: string | undefined): Promise<Credential> {
    const credential = await abortable(this.connection.credentials.find(rejected), this.signal);
    if (credential === undefined) throw this.#aborted("while it waited for the API key");
    return credential;
  }

  #aborted(when: string): AbortedError {
    const { context } = this;
    const error = new AbortedError(`${describeCall(context)} was aborted ${when}`, context);
    return markMayHaveSucceeded(error, this.#mayHaveSucceeded);
  }
}
