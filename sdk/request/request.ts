/** The one caller: carries any operation of any endpoint through check, gate, sending, understanding and repetition. */

import { type Credential, Credentials, type KeySource } from "../auth/credentials";
import { AbortedError, ApiError, type CallContext, type EsignError, markMayHaveSucceeded } from "../errors";
import { bearMany, sleep, unlessAborted } from "../http/abort";
import type { Limits } from "../http/limiter";
import { callOf } from "../http/parse-response";
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
   * The clock of the call starts with its first turn and stands still in the gate, but for what the call itself was told
   * to wait: waiting behind other calls is not the service's slowness.
   */
  #deadline: number | undefined;
  /** An attempt may have been carried out. */
  #mayHaveSucceeded = false;
  #renewed = false;
  #doubted = false;
  #repeats = 0;
  /** Set when the call was refused and waits in the gate, like all others, but by itself at least so many milliseconds. */
  #again: number | undefined;
  /** What the service had served with this key when it last refused the call, or before the first attempt. */
  #served: number | undefined;

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
      if ("error" in outcome) await this.#beforeNext(outcome);
      else if (!this.#doubted && endpoint.isDoubtful?.(outcome.reply)) {
        this.#doubted = true;
        this.#again = undefined;
      } else return outcome.reply;
    }
  }

  async #attempt(number: number) {
    const turn = this.#credential.gate.enter(this.connection.settings as Limits, this.#again, this.signal);
    if (turn !== undefined) await this.#wait(turn);
    const { op, context, path, body, signal, timeout } = this;
    const { origin, settings, redactor } = this.connection;
    const { gate, authorization } = this.#credential;
    const begin = performance.now();
    this.#served ??= gate.served;
    this.#deadline ??= begin + timeout;
    const { method, repeatable } = op.endpoint;
    const patience = attemptTimeout(this.#deadline - begin, repeatable);
    const request = { origin, method, path, authorization, body, timeout: patience, signal };
    return attempt({ op, context, request, number, gate, begin, patience: timeout, redactor, listeners: settings });
  }

  async #wait(turn: Promise<void>): Promise<void> {
    const since = performance.now();
    try {
      await turn;
    } catch {
      throw this.#ended("while it waited for its turn");
    }
    if (this.#deadline !== undefined) this.#deadline += Math.max(0, performance.now() - since - (this.#again ?? 0));
  }

  /** After a failure: returns when there is to be another attempt. */
  async #beforeNext({ error, prospect, refused, retryAfter }: Failed): Promise<void> {
    const { settings } = this.connection;
    this.#mayHaveSucceeded ||= error.mayHaveSucceeded;
    if (await this.#hasNewKey(error)) return;
    const { gate } = this.#credential;
    const wait = Math.max(retryAfter ?? 0, delayBefore(this.#repeats + 1));
    const left = this.#deadline! - performance.now();
    // While the service serves others, a refused call's turn will come: only its deadline ends that.
    const isNext = refused && settings.retries > 0 && gate.served > this.#served!;
    this.#served = gate.served;
    if (!isNext) this.#repeats++;
    if (!mayRepeat(prospect, this.op.endpoint.repeatable) || this.#repeats > settings.retries || wait >= left)
      throw markMayHaveSucceeded(error, this.#mayHaveSucceeded);
    this.#again = refused ? wait : undefined;
    if (!refused && !(await sleep(wait, this.signal))) throw this.#ended("between two attempts");
  }

  /** Whether a key that was refused has been changed meanwhile; it is asked for once. */
  async #hasNewKey(error: EsignError): Promise<boolean> {
    const isRefused = error instanceof ApiError && error.status === 401;
    if (!isRefused || this.#renewed || !this.connection.credentials.canChange) return false;
    this.#renewed = true;
    const other = await this.#find(this.#credential.key);
    if (other.key === this.#credential.key) return false;
    this.#credential = other;
    this.#again = this.#served = undefined;
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
