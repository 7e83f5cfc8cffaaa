/** The one caller: carries any operation of any endpoint through check, gate, sending, understanding and repetition. */
import { defaultMaxListeners, getMaxListeners, setMaxListeners } from "node:events";
import { faultOfKey } from "./access";
import { callOf, understand } from "./answer";
import { type Operation, outgoing } from "./check";
import type { CallOptions, ConnectOptions, RequestEvent, ResponseEvent } from "./client";
import {
  AbortedError,
  type CallContext,
  type EsignError,
  InputError,
  NoAnswerError,
  NotSentError,
  ReplyError,
  ServiceError,
  TimeoutError,
  withDoubt,
} from "./errors";
import { keyFingerprint } from "./fingerprint";
import { type HttpRequest, SendFailure, send } from "./http";
import { type Gate, gateOf, type Limits } from "./limiter";
import type { Redactor } from "./redact";
import { attemptTimeout, delayBefore, type Failed, mayRepeat } from "./retry";

/** Finds the key. After a 401 it is asked again, with the key that was refused. */
export type KeySource = (refused?: string) => string | Promise<string>;

/** Options with their defaults filled in. */
export type Settings = Pick<ConnectOptions, "onRequest" | "onResponse" | "requestsPerSecond"> &
  Required<Pick<ConnectOptions, "maxConcurrency" | "timeout" | "pageSize" | "retries" | "allowUnknownValues">>;

/** A key made ready for use. */
interface Credential {
  key: string;
  /** Value of the Authorization header: the key as user name and a filler as password (§5). */
  authorization: string;
  gate: Gate;
}

/** One account at one address. */
export class Connection {
  readonly #origin: string;
  readonly #prefix: string;
  #credential: Credential | undefined;
  /** The question for the key that is under way. */
  #search: { refused: string | undefined; result: Promise<Credential> } | undefined;

  constructor(
    readonly baseUrl: string,
    readonly settings: Settings,
    readonly redactor: Redactor,
    readonly source: string | KeySource,
    /** Told of every reply of a partner's endpoint: those hold keys. */
    readonly onPartnerReply: (reply: Record<string, unknown>) => void,
  ) {
    const url = new URL(baseUrl);
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, "");
    if (typeof source === "string") this.#credential = this.#ready(source);
  }

  /** A short hash of the key. */
  async fingerprint(): Promise<string> {
    const { key } = this.#credential ?? (await this.#find());
    return keyFingerprint(key);
  }

  /** Carries out one operation. */
  async call(
    op: Operation,
    input: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    const { settings, redactor } = this;
    const { endpoint } = op;
    const { path, body } = outgoing(op, input, settings.allowUnknownValues, options);
    const context: CallContext = {
      operation: op.name,
      method: endpoint.method,
      path: redactor.text(path),
    };
    const { signal, timeout = settings.timeout } = options;
    if (signal?.aborted) throw new AbortedError(`${callOf(context)} was ended before it began`, context);

    if (signal !== undefined) bearMany(signal);

    // Others may want the key as well: a call that ends does not end the search.
    const find = async (refused: string | undefined, perhapsDone: boolean) => {
      const found = await unlessAborted(this.#find(refused), signal);
      if (found !== undefined) return found;
      throw withDoubt(
        new AbortedError(`${callOf(context)} was ended while its key was looked for`, context),
        perhapsDone,
      );
    };
    let credential = this.#credential ?? (await find(undefined, false));
    // The clock of the call starts with its first turn and stands still in the gate, but for what the call itself was told
    // to wait: waiting behind other calls is not the service's slowness.
    let deadline: number | undefined;
    let perhapsDone = false;
    let renewed = false;
    let doubted = false;
    // Set when the call was refused and waits in the gate, like all others, but by itself at least so many milliseconds.
    let again: number | undefined;
    // What the service had served with this key when it last refused the call, or before the first attempt.
    let served: number | undefined;

    for (let attempt = 1, repeats = 0; ; attempt++) {
      const turn = credential.gate.enter(settings as Limits, again, signal);
      if (turn !== undefined) {
        const since = performance.now();
        try {
          await turn;
          if (deadline !== undefined) deadline += Math.max(0, performance.now() - since - (again ?? 0));
        } catch {
          throw withDoubt(
            new AbortedError(`${callOf(context)} was ended while it waited for its turn`, context),
            perhapsDone,
          );
        }
      }
      const begin = performance.now();
      served ??= credential.gate.served;
      deadline ??= begin + timeout;
      const result = await this.#attempt(
        op,
        context,
        {
          origin: this.#origin,
          method: endpoint.method,
          path: this.#prefix + path,
          authorization: credential.authorization,
          body,
          timeout: attemptTimeout(deadline - begin, endpoint.repeatable),
          signal,
        },
        attempt,
        credential.gate,
        begin,
        timeout,
      );
      if ("reply" in result) {
        if (!doubted && endpoint.isDoubtful?.(result.reply)) {
          doubted = true;
          again = undefined;
          continue;
        }
        if (endpoint.partner) this.onPartnerReply(result.reply);
        return result.reply;
      }

      const { error, prospect } = result;
      perhapsDone ||= error.perhapsDone;
      if (error instanceof ServiceError && error.status === 401 && typeof this.source === "function" && !renewed) {
        renewed = true;
        const other = await find(credential.key, perhapsDone);
        if (other.key !== credential.key) {
          credential = other;
          again = served = undefined;
          continue;
        }
      }
      const wait = Math.max(result.retryAfter ?? 0, delayBefore(repeats + 1));
      const left = deadline - performance.now();
      // While the service serves others, a refused call's turn will come: only its deadline ends that.
      const isNext = result.refused && settings.retries > 0 && credential.gate.served > served;
      served = credential.gate.served;
      if (!isNext) repeats++;
      if (!mayRepeat(prospect, endpoint.repeatable) || repeats > settings.retries || wait >= left) {
        throw withDoubt(error, perhapsDone);
      }
      again = result.refused ? wait : undefined;
      if (again === undefined && !(await sleep(wait, signal))) {
        throw withDoubt(new AbortedError(`${callOf(context)} was ended between two attempts`, context), perhapsDone);
      }
    }
  }

  async #attempt(
    op: Operation,
    context: CallContext,
    request: HttpRequest,
    attempt: number,
    gate: Gate,
    begin: number,
    patience: number,
  ): Promise<{ reply: Record<string, unknown> } | Failed> {
    const { onRequest, onResponse } = this.settings;
    let event: RequestEvent | undefined;
    if (onRequest !== undefined || onResponse !== undefined) {
      event = { operation: op.name, method: request.method, path: context.path!, attempt };
      tell(onRequest, event);
    }
    let status: number | undefined;
    let cut: SendFailure["cut"];
    let result: { reply: Record<string, unknown> } | Failed;
    try {
      const answer = await send(request);
      status = answer.status;
      result = understand(op.endpoint, context, answer, this.redactor);
    } catch (failure) {
      if (!(failure instanceof SendFailure)) {
        gate.leave("failed", begin);
        throw failure;
      }
      ({ status, cut } = failure);
      result = this.#failed(op, context, failure, request.timeout);
    }
    if ("reply" in result) gate.leave("answered", begin);
    else {
      // Longer than a call would wait itself, the others do not wait for it either: one of them asks again.
      const retryAfter = result.retryAfter === undefined ? undefined : Math.min(result.retryAfter, patience);
      gate.leave(result.refused ? "refused" : cut ? `cut-${cut}` : "failed", begin, retryAfter);
    }
    if (event !== undefined && onResponse !== undefined) {
      const response: ResponseEvent = { ...event, elapsed: performance.now() - begin };
      if (status !== undefined) response.status = status;
      if ("error" in result) response.error = result.error.message;
      tell(onResponse, response);
    }
    return result;
  }

  #failed(op: Operation, context: CallContext, failure: SendFailure, timeout: number): Failed {
    const { reason, sent, status } = failure;
    const detail = this.redactor.text(failure.detail);
    const write = op.endpoint.method !== "GET";
    const call = callOf(context);
    let error: EsignError;
    let prospect: Failed["prospect"] = sent ? "unknown" : "not-done";
    if (reason === "aborted") {
      error = new AbortedError(`${call} was ended by the caller`, context, sent && write);
      prospect = "final";
    } else if (reason === "timeout") {
      error = new TimeoutError(`${call} had no answer within ${Math.round(timeout)} ms`, context, sent && write);
    } else if (!sent) {
      error = new NotSentError(`${call} could not be sent: ${detail}`, context);
      if (/certificate|CERT_|SSL|TLS|status 407/i.test(detail)) prospect = "final";
    } else if (status !== undefined) {
      error = new ReplyError(`${call} was answered ${status}, but ${detail}`, context, status, write);
      if (reason === "too-large") prospect = "final";
    } else {
      error = new NoAnswerError(`${call} got no answer: ${detail}`, context, write);
    }
    return { error, prospect, refused: false };
  }

  /** Asks the source for the key; calls that need it at the same time share the question. */
  async #find(refused?: string): Promise<Credential> {
    for (;;) {
      const search = this.#search;
      if (search === undefined) break;
      const found = await search.result;
      if (search.refused === refused || found.key !== refused) return found;
    }
    if (this.#credential !== undefined && this.#credential.key !== refused) return this.#credential;
    const result = (async () => this.#ready(await (this.source as KeySource)(refused)))();
    this.#search = { refused, result };
    try {
      this.#credential = await result;
      return this.#credential;
    } finally {
      this.#search = undefined;
    }
  }

  #ready(key: string): Credential {
    const fault = faultOfKey(key);
    if (fault !== undefined) throw new InputError({ operation: "connect" }, [{ path: "apiKey", message: fault }]);
    this.redactor.add(key);
    return {
      key,
      authorization: `Basic ${Buffer.from(`${key}:x`).toString("base64")}`,
      gate: gateOf(this.#origin, key),
    };
  }
}

/** Sleeps; false when the signal ended the sleep. */
export function sleep(ms: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false);
    const end = (slept: boolean) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(slept);
    };
    const onAbort = () => end(false);
    const timer = setTimeout(end, ms, true);
    signal?.addEventListener("abort", onAbort);
  });
}

/** What the promise resolves to, or undefined as soon as the signal says so. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (signal === undefined) return promise;
  return new Promise<T | undefined>((resolve, reject) => {
    const onAbort = () => resolve(undefined);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** One signal may end many calls at once. That is no leak, though Node would warn of one at the eleventh listener. */
export function bearMany(signal: AbortSignal): void {
  try {
    // Not 0, which means the same: with that, Node does not take the signal for one any more.
    if (getMaxListeners(signal) === defaultMaxListeners) setMaxListeners(Number.POSITIVE_INFINITY, signal);
  } catch {
    // A signal of another kind, or one that its owner has set to 0.
  }
}

/** A listener that throws must not break the call, and one that is asynchronous must not end the process. */
function tell<E>(listener: ((event: E) => unknown) | undefined, event: E): void {
  try {
    Promise.resolve(listener?.(event)).catch(() => undefined);
  } catch {}
}
