/**
 * The one function that sends. It carries a request to the service and the answer back, bounded in time and size, and
 * says of a failure the one thing that matters: had the request been sent?
 */
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { connectionsTo, maxResponseSize } from "./connections";

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
  /** Form-encoded body. */
  body: string | undefined;
  /** Milliseconds for this attempt. */
  timeout: number;
  signal: AbortSignal | undefined;
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
  ) {}
}

/** Sends a request once. Rejects with a {@link SendFailure}; redirects are returned, never followed. */
export async function send(request: HttpRequest): Promise<HttpResponse> {
  const { timeout, signal } = request;
  let exchange!: HttpExchange;
  const answer = new Promise<HttpResponse>((resolve, reject) => {
    exchange = new HttpExchange(resolve, reject);
  });
  const onTimeout = () => exchange.stop("timeout", "the deadline passed");
  const onAbort = () => exchange.stop("aborted", "the caller ended it");
  const timer = setTimeout(onTimeout, Math.max(1, Math.min(timeout, 0x7fffffff)));
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  else exchange.begin(request);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    // undici uses a connection again from the next turn of the event loop on; who sends before that gets another one.
    await nextTurn();
  }
}

/** One request and its answer. A class, since undici calls it back several times for each. */
class HttpExchange implements Dispatcher.DispatchHandler {
  /** Of the request, once it is sent. */
  #controller: Dispatcher.DispatchController | undefined;
  /** The connection that is made for it. */
  #opening: Socket | undefined;
  #isStopped = false;
  #status: number | undefined;
  #headers: HttpResponse["headers"] = {};
  readonly #chunks: Buffer[] = [];

  constructor(
    readonly resolve: (answer: HttpResponse) => void,
    readonly reject: (failure: SendFailure) => void,
  ) {}

  begin({ origin, connections, method, path, authorization, body }: HttpRequest): void {
    const headers = ["authorization", authorization, "accept", "application/json", "accept-encoding", "identity"];
    headers.push("user-agent", "pulumi-esign");
    if (body !== undefined) headers.push("content-type", "application/x-www-form-urlencoded");
    const options = { method: method as Dispatcher.HttpMethod, path, headers, body: body ?? null };
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
    // undici may put a request back into its queue. One that was begun must not be sent again behind the caller's back.
    if (this.#controller !== undefined) this.stop("broken", "the connection was lost");
    if (this.#isStopped) controller.abort(new Error("given up"));
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
    } catch {
      this.#fail("broken", "the answer's compression is broken");
    }
  }

  onResponseError(_: unknown, error: Error): void {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "UND_ERR_RES_EXCEEDED_MAX_SIZE";
    this.#fail(isTooLarge ? "too-large" : "broken", wordsOf(error));
  }

  #fail(reason: SendFailure["reason"], detail: string): void {
    this.reject(new SendFailure(reason, this.#controller !== undefined, detail, this.#status));
  }
}

/** An answer's bytes as they were before a gateway compressed them: some do, although they are asked not to. */
function decompress(bytes: Buffer, encoding: string | string[] | undefined): Buffer {
  if (encoding === undefined) return bytes;
  const zlib = require("node:zlib") as typeof import("node:zlib");
  const decode = { gzip: zlib.gunzipSync, deflate: zlib.inflateSync, br: zlib.brotliDecompressSync }[
    String(encoding).toLowerCase()
  ];
  return decode === undefined || bytes.length === 0 ? bytes : decode(bytes, { maxOutputLength: maxResponseSize });
}

const words: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host's name is unknown",
  EAI_AGAIN: "the host's name could not be looked up",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  UND_ERR_CONNECT_TIMEOUT: "no connection could be made in time",
  UND_ERR_HEADERS_TIMEOUT: "the proxy of HTTPS_PROXY did not answer",
  UND_ERR_HEADERS_OVERFLOW: "the answer's headers are too long",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the answer was cut short",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: `the answer is longer than ${maxResponseSize} bytes`,
  ERR_SSL_WRONG_VERSION_NUMBER: "what answers there does not speak TLS",
};

/** What a connection's error means. Certificate errors speak for themselves; those of TLS have their reason beside a message for developers. */
export function wordsOf(error: unknown): string {
  const { code, message, library, reason } = (error ?? {}) as Partial<Record<string, string>>;
  const ofTls = library === "SSL routines" && reason ? `TLS failed: ${reason}` : undefined;
  const known = (code === undefined ? undefined : words[code]) ?? ofTls;
  return `${known || message || "unknown failure"}${code ? ` (${code})` : ""}`;
}
