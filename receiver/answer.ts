/** What every adapter does: the answer to a request, and the handler after or before it. */

import { type BodySource, readBody } from "./body";
import { ReceiverError } from "./errors";
import type { RequestHeaders } from "./headers";
import { stoppingPlatform } from "./platform";
import { checkOptions, maxBodyBytes, type Received, type ReceiveOptions, receive } from "./receive";
import { checkNumber } from "./signature";

/** Handles an event. It runs when the answer has been sent, so it may take its time; with `handleWithinSeconds`, before it. */
export type Handler = (received: Received) => unknown;

export interface ReceiverOptions extends ReceiveOptions {
  /**
   * Seconds in which the handler must end. With it the answer waits for the handler: 200 if it succeeds, 500 if it fails, 503 if it
   * takes longer. For platforms that stop a process after its answer. Default: 10 on AWS Lambda, Vercel, Google Cloud Functions,
   * Cloud Run and Cloudflare Workers, unless the platform's `waitUntil` is passed to the adapter; elsewhere the answer comes first.
   */
  handleWithinSeconds?: number | undefined;
  /**
   * Called with each error of the handler and the event that it handled, and with the {@link ReceiverError} of each request that is
   * not accepted. Default: prints errors to stderr, except those of requests with a status below 500, which anyone can send.
   */
  onError?: ((error: unknown, received?: Received) => unknown) | undefined;
}

/** A request, as an adapter passes it. */
export interface ReceiverRequest {
  method: string | undefined;
  headers: RequestHeaders;
  body: () => BodySource;
  /** Whether the platform waits for what runs after the answer. */
  waits?: boolean;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** To be called when the answer has been sent. */
  afterwards?: () => Promise<void>;
}

const reasons: Record<number, string> = {
  200: "OK",
  400: "Bad Request",
  401: "Unauthorized",
  405: "Method Not Allowed",
  413: "Content Too Large",
  503: "Service Unavailable",
};

const DEFAULT_SECONDS = 10;

/** What to answer: it leaks nothing of why a request is rejected. */
export async function answer(request: ReceiverRequest, handler: Handler, options: ReceiverOptions): Promise<Answer> {
  // A check whether the URL can be reached gets the answer that it looks for.
  if (request.method === "GET" || request.method === "HEAD") return answerOf(200);
  if (request.method !== "POST") return answerOf(405, { allow: "GET, HEAD, POST" });
  let received: Received;
  try {
    received = receive(request.headers, await readBody(request.body(), maxBodyBytes(options)), options);
  } catch (error) {
    report(options, error);
    return answerOf(error instanceof ReceiverError ? error.status : 500);
  }
  /** Handles the event; returns whether it succeeded. */
  const handle = async () => {
    try {
      await handler(received);
      return 200;
    } catch (error) {
      report(options, error, received);
      return 500;
    }
  };
  const seconds = options.handleWithinSeconds ?? (request.waits ? undefined : secondsHere());
  if (seconds === undefined) return { ...answerOf(200), afterwards: async () => void (await handle()) };
  const status = await within(seconds, handle());
  if (status === 503) report(options, new ReceiverError("handler-timeout"), received);
  return answerOf(status);
}

/** The headers of an answer on a connection: the rest of a body that is too large is not read, and nothing can follow it. */
export function closingHeaders({ status, headers }: Answer): Record<string, string> {
  return status === 413 ? { ...headers, connection: "close" } : headers;
}

/** Throws `options-invalid`, when the adapter is made rather than with the first request. */
export function check(handler: Handler, options: ReceiverOptions): void {
  if (typeof handler !== "function") throw new ReceiverError("options-invalid", "the handler must be a function");
  checkOptions(options);
  checkNumber("handleWithinSeconds", options.handleWithinSeconds);
  if (options.onError !== undefined && typeof options.onError !== "function") {
    throw new ReceiverError("options-invalid", "onError must be a function");
  }
}

const secondsHere = () => (stoppingPlatform() === undefined ? undefined : DEFAULT_SECONDS);

/** The status of the work, or 503 when the time is over. */
async function within(seconds: number, work: Promise<number>): Promise<number> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<number>((resolve) => {
    // Longer times than a timer can have are none.
    if (seconds < 2 ** 31 / 1000) timer = setTimeout(resolve, seconds * 1000, 503);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function answerOf(status: number, headers: Record<string, string> = {}): Answer {
  const body = reasons[status] ?? "Internal Server Error";
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, body };
}

function report({ onError = print }: ReceiverOptions, error: unknown, received?: Received): void {
  // It may be asynchronous.
  const call = async () => onError(error, received);
  void call().catch(print);
}

function print(error: unknown): void {
  if (!(error instanceof ReceiverError && error.status < 500)) console.error(error);
}
