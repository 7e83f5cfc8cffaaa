/** The one caller: carries any operation of any endpoint through check, rate limiter, sending, understanding and repetition. */

import { type Credential, Credentials, type KeySource } from "../auth/credentials";
import { AbortedError, ApiError, type CallContext, type EsignError, markMayHaveSucceeded } from "../errors";
import { bearMany, sleep, unlessAborted } from "../http/abort";
import { callOf } from "../http/parse-response";
import type { Permit } from "../http/rate-limiter";
import type { Redactor } from "../http/redact";
import { attemptTimeout, delayBefore, type Failed, mayRepeat } from "../http/retry-policy";
import type { CallOptions, ConnectOptions } from "../options";
import { attempt } from "./attempt";
import { type Operation, outgoing } from "./validate-input";

/** Options with their defaults filled in. */
export type Settings = Pick<ConnectOptions, "onRequest" | "onResponse" | "requestsPerSecond"> &
  Required<Pick<ConnectOptions, "maxConcurrency" | "timeout" | "pageSize" | "retries" | "allowUnknownValues">>;

type Reply = Record<string, unknown>;

/** One account at one address. */
export class Connection {
  readonly origin: string;
  /** What the address has before every path. */
  readonly prefix: string;
  readonly credentials: Credentials;

  constructor(
    readonly baseUrl: string,
    readonly settings: Settings,
    readonly redactor: Redactor,
    source: string | KeySource,
    /** Told of every reply of a partner's endpoint: those hold keys. */
    readonly onPartnerReply: (reply: Reply) => void,
  ) {
    const url = new URL(baseUrl);
    this.origin = url.origin;
    this.prefix = url.pathname.replace(/\/+$/, "");
    this.credentials = new Credentials(this.origin, source, redactor);
  }

  /** Carries out one operation. */
  async call(op: Operation, input: Record<string, unknown>, options: CallOptions = {}): Promise<Reply> {
    const { path, body } = outgoing(op, input, this.settings.allowUnknownValues, options);
    const context: CallContext = { operation: op.name, method: op.endpoint.method, path: this.redactor.text(path) };
    const { signal, timeout = this.settings.timeout } = options;
    if (signal?.aborted) throw new AbortedError(`${callOf(context)} was ended before it began`, context);
    if (signal !== undefined) bearMany(signal);
    const reply = await new Call(this, op, context, this.prefix + path, body, timeout, signal).run();
    if (op.endpoint.partner) this.onPartnerReply(reply);
    return reply;
  }
}

/** One call under way: as many attempts as it takes. */
class Call {
  #credential!: Credential;
  /**
   * The clock of the call starts with its first permit and stands still while it waits for another: waiting behind other
   * calls is not the service's slowness.
   */
  #deadline: number | undefined;
  /** An attempt may have been carried out. */
  #mayHaveSucceeded = false;
  #renewed = false;
  #doubted = false;
  #repeats = 0;
  /** What the service had answered with this key when it last throttled the call, or before the first attempt. */
  #answered: number | undefined;

  constructor(
    readonly connection: Connection,
    readonly op: Operation,
    readonly context: CallContext,
    readonly path: string,
    readonly body: string | undefined,
    readonly timeout: number,
    readonly signal: AbortSignal | undefined,
  ) {}

  async run(): Promise<Reply> {
    const { endpoint } = this.op;
    this.#credential = this.connection.credentials.current ?? (await this.#find(undefined));
    for (let number = 1; ; number++) {
      const outcome = await this.#attempt(number);
      if ("error" in outcome) await this.#beforeNext(outcome, number);
      else if (!this.#doubted && endpoint.isDoubtful?.(outcome.reply)) {
        this.#doubted = true;
      } else return outcome.reply;
    }
  }

  async #attempt(number: number) {
    const permit = await this.#acquire();
    const { op, context, path, body, signal, timeout } = this;
    const { origin, settings, redactor } = this.connection;
    const { limiter, authorization } = this.#credential;
    this.#answered ??= limiter.answered;
    this.#deadline ??= permit.since + timeout;
    const { method, repeatable } = op.endpoint;
    const patience = attemptTimeout(this.#deadline - permit.since, repeatable);
    const request = { origin, method, path, authorization, body, timeout: patience, signal };
    return attempt({ op, context, request, number, permit, patience: timeout, redactor, listeners: settings });
  }

  async #acquire(): Promise<Permit> {
    const start = performance.now();
    let permit: Permit;
    try {
      permit = await this.#credential.limiter.acquire(this.connection.settings, this.signal);
    } catch {
      throw this.#ended("while it waited for its turn");
    }
    if (this.#deadline !== undefined) this.#deadline += permit.since - start;
    return permit;
  }

  /** After a failure: returns when there is to be another attempt. */
  async #beforeNext({ error, prospect, throttled, retryAfter }: Failed, number: number): Promise<void> {
    const { settings } = this.connection;
    this.#mayHaveSucceeded ||= error.mayHaveSucceeded;
    if (await this.#hasNewKey(error)) return;
    const { limiter } = this.#credential;
    const wait = Math.max(retryAfter ?? 0, delayBefore(number));
    const left = this.#deadline! - performance.now();
    // While the service answers others, a throttled call's turn will come: only its deadline ends that.
    const isNext = throttled && settings.retries > 0 && limiter.answered > this.#answered!;
    this.#answered = limiter.answered;
    if (!isNext) this.#repeats++;
    const mayRetry =
      mayRepeat(prospect, this.op.endpoint.repeatable) && this.#repeats <= settings.retries && wait < left;
    // The rate limiter sees to it that throttled calls are not too many.
    if (!mayRetry || !(throttled || limiter.takeRetry())) throw markMayHaveSucceeded(error, this.#mayHaveSucceeded);
    if (!(await sleep(wait, this.signal))) throw this.#ended("between two attempts");
  }

  /** Whether a key that was refused has been changed meanwhile; it is asked for once. */
  async #hasNewKey(error: EsignError): Promise<boolean> {
    const isRefused = error instanceof ApiError && error.status === 401;
    if (!isRefused || this.#renewed || !this.connection.credentials.canChange) return false;
    this.#renewed = true;
    const other = await this.#find(this.#credential.key);
    if (other.key === this.#credential.key) return false;
    this.#credential = other;
    this.#answered = undefined;
    return true;
  }

  /** Others may want the key as well: a call that ends does not end the search. */
  async #find(refused: string | undefined): Promise<Credential> {
    const found = await unlessAborted(this.connection.credentials.find(refused), this.signal);
    if (found === undefined) throw this.#ended("while its key was looked for");
    return found;
  }

  /** The error of a call that its caller ended. */
  #ended(when: string): AbortedError {
    const { context } = this;
    return markMayHaveSucceeded(
      new AbortedError(`${callOf(context)} was ended ${when}`, context),
      this.#mayHaveSucceeded,
    );
  }
}
