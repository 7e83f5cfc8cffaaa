/**
 * Sends requests one after the other and returns the replies as they came: the client would read them liberally, and hide what differs.
 * Nothing is provoked: a service that turns a request away is given the time that it asks for.
 */
import { encodeBody, type Method } from "../sdk/api/endpoint";
import type { Edition } from "../sdk/edition";
import { sleep } from "../sdk/http/abortable-waits";
import { parseRetryAfter, retryDelay } from "../sdk/http/retry-policy";
import { type HttpResponse, type RequestBody, SendFailure, send } from "../sdk/http/send";
import { noticeableWait } from "../sdk/request/announce-waits";

export interface Reply {
  readonly status: number;
  readonly headers: HttpResponse["headers"];
  /** The body, if it is a JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** What the body is. */
  readonly kind: "JSON object" | "other JSON" | "HTML" | "empty" | "text";
}

/** There is no reply. */
export class NoReply extends Error {
  override readonly name = "NoReply";
  constructor(
    message: string,
    /** Whether the request may have been executed. */
    readonly mayHaveSucceeded: boolean,
    readonly isAborted: boolean,
  ) {
    super(message);
  }
}

const timeout = 30_000;
const attempts = 5;
/** The longest that a service may ask to wait, in milliseconds. */
const longestWait = 60_000;

interface SenderOptions {
  baseUrl: string;
  apiKey: string;
  signal?: AbortSignal;
  /** Shows what is waited for. */
  onWait?: (message: string) => void;
}

export class Sender {
  readonly #origin: string;
  readonly #prefix: string;
  readonly #authorization: string;
  readonly #onWait: (message: string) => void;
  #signal: AbortSignal | undefined;
  /** Every reply, for what all have in common. */
  readonly replies: Reply[] = [];
  /** Milliseconds of each reply to a GET. */
  readonly times: number[] = [];
  /** How often the service turned a request away because there were too many. */
  throttled = 0;

  constructor({ baseUrl, apiKey, signal, onWait = () => {} }: SenderOptions) {
    const { origin, pathname } = new URL(baseUrl);
    this.#origin = origin;
    this.#prefix = pathname.replace(/\/+$/, "");
    this.#authorization = `Basic ${Buffer.from(`${apiKey}:x`).toString("base64")}`;
    this.#signal = signal;
    this.#onWait = onWait;
  }

  /** From here on nothing interrupts: what was made has to be removed. */
  finish(): void {
    this.#signal = undefined;
  }

  /** Waits, unless interrupted. */
  pause(ms: number): Promise<boolean> {
    return sleep(ms, this.#signal);
  }

  /** A GET; `headers` are sent besides. */
  get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.#send("GET", path, undefined, headers);
  }

  /** A write. One whose outcome is unknown is sent again only if a second time changes nothing. */
  write(
    method: Exclude<Method, "GET">,
    path: string,
    fields: Record<string, unknown>,
    edition: Edition,
  ): Promise<Reply> {
    return this.#send(method, path, method === "DELETE" ? undefined : encodeBody(fields, edition), {});
  }

  async #send(
    method: Method,
    path: string,
    body: RequestBody | undefined,
    headers: Record<string, string>,
  ): Promise<Reply> {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === attempts;
      const reply = await this.#attempt(method, path, body, headers, isLast);
      if (reply === undefined) {
        await this.pause(retryDelay(attempt));
        continue;
      }
      const wait = parseRetryAfter(textOf(reply.headers["retry-after"]), textOf(reply.headers.date));
      const isTurnedAway = reply.status === 429 || (reply.status === 503 && wait !== undefined);
      if (isTurnedAway) this.throttled++;
      this.replies.push(reply);
      const mayHelp = isTurnedAway || (reply.status >= 500 && method !== "POST");
      if (!mayHelp || isLast || (wait ?? 0) > longestWait) return reply;
      const delay = Math.max(wait ?? 0, retryDelay(attempt));
      const then = `the next attempt follows in ${Math.round(delay / 1000)} s`;
      if (delay >= noticeableWait) this.#onWait(`${method} ${path}: the service returned ${reply.status}; ${then}`);
      await this.pause(delay);
    }
  }

  /** Undefined if the request may be sent again. */
  async #attempt(
    method: Method,
    path: string,
    body: RequestBody | undefined,
    headers: Record<string, string>,
    isLast: boolean,
  ): Promise<Reply | undefined> {
    const start = performance.now();
    const words = `no response for ${noticeableWait / 1000} s; waiting another ${(timeout - noticeableWait) / 1000} s`;
    const timer = setTimeout(() => this.#onWait(`${method} ${path}: ${words}`), noticeableWait);
    try {
      const response = await send({
        origin: this.#origin,
        connections: 1,
        method,
        path: this.#prefix + path,
        authorization: this.#authorization,
        body,
        timeout,
        signal: this.#signal,
        headers,
      });
      if (method === "GET") this.times.push(performance.now() - start);
      return parse(response);
    } catch (error) {
      if (!(error instanceof SendFailure)) throw error;
      const isRepeatable = method !== "POST" || !error.sent;
      if (error.reason !== "aborted" && isRepeatable && !isLast) return undefined;
      throw new NoReply(
        `${method} ${path}: ${error.detail}`,
        method !== "GET" && error.sent,
        error.reason === "aborted",
      );
    } finally {
      clearTimeout(timer);
    }
  }
}

function parse({ status, headers, text }: HttpResponse): Reply {
  const trimmed = text.trim();
  try {
    const json: unknown = JSON.parse(trimmed);
    if (typeof json !== "object" || json === null || Array.isArray(json))
      return { status, headers, body: undefined, kind: "other JSON" };
    return { status, headers, body: json as Record<string, unknown>, kind: "JSON object" };
  } catch {
    const kind = trimmed === "" ? "empty" : trimmed.startsWith("<") ? "HTML" : "text";
    return { status, headers, body: undefined, kind };
  }
}

const textOf = (header: string | string[] | undefined): string | undefined => [header].flat()[0];

/** Whether a reply is a success: newer statuses of errors may be in the body only. */
export function succeeded({ status, body }: Reply): boolean {
  const inBody = Number(body?.http ?? status);
  return body !== undefined && status < 300 && !(inBody >= 400);
}

/** The code and status of a reply that is not a success, as a report has them. */
export function refusalOf({ status, body, kind }: Reply): string[] {
  const code = Number(body?.code);
  const hasCode = Number.isInteger(code) && code >= 1000 && code <= 99_999;
  return [hasCode ? `code ${code}` : body === undefined ? kind : "no code", `status ${status}`];
}
