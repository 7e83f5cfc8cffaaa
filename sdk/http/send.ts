/**
 * The one function that sends. It carries a request to the service and the answer back, bounded in time and size, and
 * reports of a failure whether the request had been sent.
 */
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { longestTimer } from "./abortable-waits";
import { describeConnectionError, isLasting } from "./connection-errors";
import { connectionsTo } from "./connections";
import { decompress } from "./decompress";
import { maxResponseSize } from "./response-limit";

/** A body with its content type. */
export interface RequestBody {
  type: string;
  text: string;
}

/** A request, ready to go. */
export interface HttpRequest {
  /** `https://host:port` */
  origin: string;
  /** The most connections to the origin. */
  connections: number;
  method: string;
  /** Path and query. */
  path: string;
  /** Value of the Authorization header. */
  authorization: string;
  body: RequestBody | undefined;
  /** Milliseconds for this attempt. */
  timeout: number;
  signal: AbortSignal | undefined;
  /** Headers besides those of every request. */
  headers?: Readonly<Record<string, string>>;
}

/** A complete response. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Why there is no complete response. */
export class SendFailure {
  constructor(
    readonly reason: "broken" | "timeout" | "aborted" | "too-large",
    /** False if certainly no byte of the request was sent. */
    readonly sent: boolean,
    /** What happened. */
    readonly detail: string,
    /** Status of the incomplete response. */
    readonly status?: number,
    /** True if it fails in the same way until a setting changes. */
    readonly isLasting = false,
  ) {}
}

/** Sends a request once. Rejects with a {@link SendFailure}; redirects are returned, never followed. */
export async function send(request: HttpRequest): Promise<HttpResponse> {
  const { timeout, signal } = request;
  let exchange!: HttpExchange;
  const response = new Promise<HttpResponse>((resolve, reject) => {
    exchange = new HttpExchange(resolve, reject);
  });
  const onTimeout = () => exchange.stop("timeout", "the call timed out");
  const onAbort = () => exchange.stop("aborted", "the caller aborted it");
  const timer = setTimeout(onTimeout, Math.max(1, Math.min(timeout, longestTimer)));
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  else exchange.begin(request);
  try {
    return await response;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    // undici reuses a connection only from the next turn of the event loop on: a request sent before that would open another one.
    await nextTurn();
  }
}

/** A request and its response. A class, since undici calls several of its methods. */
class HttpExchange implements Dispatcher.DispatchHandler {
  /** Set once the request is being sent. */
  #controller: Dispatcher.DispatchController | undefined;
  /** The socket that is being opened for it. */
  #opening: Socket | undefined;
  #isStopped = false;
  #status: number | undefined;
  #headers: HttpResponse["headers"] = {};
  readonly #chunks: Buffer[] = [];

  constructor(
    readonly resolve: (response: HttpResponse) => void,
    readonly reject: (failure: SendFailure) => void,
  ) {}

  begin({ origin, connections, method, path, authorization, body, headers: more = {} }: HttpRequest): void {
    const headers = ["authorization", authorization, "accept", "application/json", "accept-encoding", "identity"];
    headers.push("user-agent", "pulumi-esign");
    if (body !== undefined) headers.push("content-type", body.type);
    headers.push(...Object.entries(more).flat());
    const options = { method: method as Dispatcher.HttpMethod, path, headers, body: body?.text ?? null };
    try {
      this.#opening = connectionsTo(origin, connections).dispatch(options, this);
    } catch (error) {
      this.onResponseError(undefined, error as Error);
    }
  }

  stop(reason: SendFailure["reason"], detail: string): void {
    this.#fail(reason, detail);
    this.#isStopped = true;
    const error = new Error(detail);
    if (this.#controller !== undefined) this.#controller.abort(error);
    else this.#opening?.destroy(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // undici may requeue a request. One that was started must not be sent again without the caller.
    if (this.#controller !== undefined) this.stop("broken", "the connection was lost");
    if (this.#isStopped) controller.abort(new Error("the request was stopped"));
    else this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: HttpResponse["headers"]): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    try {
      const text = decompress(Buffer.concat(this.#chunks), this.#headers["content-encoding"]).toString("utf8");
      this.resolve({ status: this.#status!, headers: this.#headers, text });
    } catch (error) {
      const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
      if (isTooLarge) this.#fail("too-large", `the response is longer than ${maxResponseSize} bytes when decompressed`);
      else this.#fail("broken", "the response is not compressed correctly");
    }
  }

  onResponseError(_: unknown, error: Error): void {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "UND_ERR_RES_EXCEEDED_MAX_SIZE";
    this.#fail(isTooLarge ? "too-large" : "broken", describeConnectionError(error), isLasting(error));
  }

  #fail(reason: SendFailure["reason"], detail: string, isLasting = false): void {
    this.reject(new SendFailure(reason, this.#controller !== undefined, detail, this.#status, isLasting));
  }
}
