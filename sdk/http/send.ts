/**
 * The one function that sends. It carries a request to the service and the answer back, bounded in time and size, and
 * says of a failure the one thing that matters: had the request been sent?
 */
import type { Dispatcher } from "undici";
import { type Connection, Connections } from "./connections";

/** A request, ready to go. */
export interface HttpRequest {
  /** `https://host:port` */
  origin: string;
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

/** A whole answer. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Why there is no whole answer. */
export class SendFailure {
  constructor(
    readonly reason: "broken" | "timeout" | "aborted" | "too-large",
    /** False when surely no byte of the request left. */
    readonly sent: boolean,
    /** What happened, in words. */
    readonly detail: string,
    /** Status of the answer that broke off. */
    readonly status?: number,
  ) {}
}

/** The longest answer that is taken in: 32 MiB, far above a page of emails or envelopes. */
const answerLimit = 32 * 1024 * 1024;

const addresses = new Map<string, Connections>();

function connectionsTo(origin: string): Connections {
  const connections = addresses.get(origin) ?? new Connections(origin);
  addresses.set(origin, connections);
  return connections;
}

/** Sends a request once. Rejects with a {@link SendFailure}; redirects are answers like any other, never followed. */
export function send(request: HttpRequest): Promise<HttpResponse> {
  return new Promise((resolve, reject) => new HttpExchange(request, resolve, reject).begin());
}

/** One request and its answer. A class, since undici calls it back several times for each. */
class HttpExchange implements Dispatcher.DispatchHandler {
  #connection: Connection | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #settled = false;
  #status = 0;
  #headers: HttpResponse["headers"] = {};
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    readonly request: HttpRequest,
    readonly resolve: (answer: HttpResponse) => void,
    readonly reject: (failure: SendFailure) => void,
  ) {}

  begin(): void {
    const { origin, method, path, authorization, body, timeout, signal } = this.request;
    if (signal?.aborted) {
      this.#fail("aborted", "the caller ended it");
      return;
    }
    signal?.addEventListener("abort", this.#onAbort);
    this.#timer = setTimeout(this.#onTimeout, Math.max(1, Math.min(timeout, 0x7fffffff)));
    const headers = ["authorization", authorization, "accept", "application/json", "accept-encoding", "identity"];
    headers.push("user-agent", "pulumi-esign");
    if (body !== undefined) headers.push("content-type", "application/x-www-form-urlencoded");
    try {
      this.#connection = connectionsTo(origin).take();
      this.#connection.dispatch({ method: method as Dispatcher.HttpMethod, path, headers, body: body ?? null }, this);
    } catch (error) {
      this.#broken(error);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // undici may put a request back into its queue. One that was begun must not be sent again behind the caller's back.
    if (this.#settled || this.#controller !== undefined) {
      this.#fail("broken", "the connection was lost");
      controller.abort(new Error("given up"));
      return;
    }
    this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: HttpResponse["headers"]): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > answerLimit) {
      this.#fail("too-large", `the answer is longer than ${answerLimit} bytes`);
      controller.abort(new Error("too large"));
      return;
    }
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.#settle(true)) return;
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    try {
      const text = decoded(bytes, this.#headers["content-encoding"]).toString("utf8");
      this.resolve({ status: this.#status, headers: this.#headers, text });
    } catch {
      this.reject(new SendFailure("broken", true, "the answer's compression is broken", this.#status));
    }
  }

  onResponseError(_: unknown, error: Error): void {
    this.#broken(error);
  }

  readonly #onTimeout = (): void => this.#stop("timeout", "the deadline passed");
  readonly #onAbort = (): void => this.#stop("aborted", "the caller ended it");

  #stop(reason: SendFailure["reason"], detail: string): void {
    this.#fail(reason, detail);
    this.#controller?.abort(new Error(detail));
  }

  #broken(error: unknown): void {
    this.#fail("broken", wordsOf(error));
  }

  #fail(reason: SendFailure["reason"], detail: string): void {
    if (!this.#settle(false)) return;
    this.reject(new SendFailure(reason, this.#controller !== undefined, detail, this.#status || undefined));
  }

  #settle(whole: boolean): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.request.signal?.removeEventListener("abort", this.#onAbort);
    this.#connection?.release(whole);
    return true;
  }
}

/** An answer's bytes as they were before a gateway compressed them: some do, although they are asked not to. */
function decoded(bytes: Buffer, encoding: string | string[] | undefined): Buffer {
  if (encoding === undefined) return bytes;
  const zlib = require("node:zlib") as typeof import("node:zlib");
  const decode = { gzip: zlib.gunzipSync, deflate: zlib.inflateSync, br: zlib.brotliDecompressSync }[
    String(encoding).toLowerCase()
  ];
  return decode === undefined || bytes.length === 0 ? bytes : decode(bytes, { maxOutputLength: answerLimit });
}

const words: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host's name is unknown",
  EAI_AGAIN: "the host's name could not be looked up",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  UND_ERR_CONNECT_TIMEOUT: "no connection could be made in time",
  UND_ERR_HEADERS_OVERFLOW: "the answer's headers are too long",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the answer was cut short",
  ERR_SSL_WRONG_VERSION_NUMBER: "what answers there does not speak TLS",
};

/** What a connection's error means. Certificate errors speak for themselves; those of TLS have their reason beside a message for developers. */
export function wordsOf(error: unknown): string {
  const { code, message, library, reason } = (error ?? {}) as Partial<Record<string, string>>;
  const ofTls = library === "SSL routines" && reason ? `TLS failed: ${reason}` : undefined;
  const known = (code === undefined ? undefined : words[code]) ?? ofTls;
  return `${known || message || "unknown failure"}${code ? ` (${code})` : ""}`;
}
