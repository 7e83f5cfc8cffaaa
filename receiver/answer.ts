/** What every adapter does: the answer to a request, and then the handler. */
import { ReceiverError } from "./errors";
import type { RequestHeaders } from "./headers";
import { checkOptions, maxBodyBytes, type Received, type ReceiveOptions, receive } from "./receive";
import type { RawBody } from "./signature";

/** Handles an event. It runs when the answer has been sent, so it may take its time. */
export type Handler = (received: Received) => unknown;

export interface ReceiverOptions extends ReceiveOptions {
  /**
   * Called with each error of the handler and the event that it handled, and with the {@link ReceiverError} of each request that is
   * not accepted. Default: prints errors to stderr, except those of requests with a status below 500, which anyone can send.
   */
  onError?: ((error: unknown, received?: Received) => void) | undefined;
}

/** A request, as an adapter passes it. */
export interface ReceiverRequest {
  method: string | undefined;
  headers: RequestHeaders;
  /** Reads the raw body; throws `body-too-large` as soon as it is larger than the limit. */
  readBody(limit: number): Promise<RawBody>;
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
};

/** What to answer: it leaks nothing of why a request is rejected. */
export async function answer(request: ReceiverRequest, handler: Handler, options: ReceiverOptions): Promise<Answer> {
  // A check whether the URL can be reached gets the answer that it looks for.
  if (request.method === "GET" || request.method === "HEAD") return answerOf(200);
  if (request.method !== "POST") return answerOf(405, { allow: "POST" });
  let received: Received;
  try {
    received = receive(request.headers, await request.readBody(maxBodyBytes(options)), options);
  } catch (error) {
    report(options, error);
    // The rest of a large body is not read.
    return error instanceof ReceiverError
      ? answerOf(error.status, error.status === 413 ? { connection: "close" } : {})
      : answerOf(500);
  }
  const afterwards = async () => {
    try {
      await handler(received);
    } catch (error) {
      report(options, error, received);
    }
  };
  return { ...answerOf(200), afterwards };
}

/** Throws `options-invalid`, when the adapter is made rather than with the first request. */
export function checked(options: ReceiverOptions): ReceiverOptions {
  checkOptions(options);
  return options;
}

function answerOf(status: number, headers: Record<string, string> = {}): Answer {
  const body = reasons[status] ?? "Internal Server Error";
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, body };
}

function report({ onError = print }: ReceiverOptions, error: unknown, received?: Received): void {
  try {
    onError(error, received);
  } catch (failure) {
    print(failure);
  }
}

function print(error: unknown): void {
  if (!(error instanceof ReceiverError && error.status < 500)) console.error(error);
}
