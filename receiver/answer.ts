/** What every adapter does: the answer to a request, and the handler after or before it. */

import { maxBodyBytes } from "./body/body-limit";
import { type BodySource, readBody } from "./body/read-body";
import { ReceiverError } from "./errors";
import type { RequestHeaders } from "./headers";
import { defaultHandlerSeconds, stoppingPlatform } from "./platform";
import { checkLimits, type Received, type ReceiveOptions, receive } from "./receive";
import { rejectionLog } from "./rejection-log";
import { areLater, type LaterSecrets, listOfSecrets, resolveSecrets } from "./secrets";
import { checkNumber, requireSignature } from "./signature";

/** Handles an event. It runs when the answer has been sent, so it may take its time; with `handleWithinSeconds`, before it. */
export type Handler = (received: Received) => unknown;

export interface ReceiverOptions extends Omit<ReceiveOptions, "secrets"> {
  /**
   * The webhook's secret, or several: while a webhook is replaced, notifications of the old and the new one arrive. White space
   * around it, as files have it, does not count. A promise of them, or a function that returns them or a promise and is called for
   * each signed notification, as long as they may change. `false` accepts unsigned notifications from anyone, for an account whose
   * notifications are not signed.
   */
  secrets: ReceiveOptions["secrets"] | LaterSecrets;
  /**
   * Seconds in which the handler must end. With it the answer waits for the handler: 200 if it succeeds, 500 if it fails, 503 if it
   * takes longer. For platforms that stop a process after its answer. Default: 10 on AWS Lambda, Vercel, Google Cloud Functions,
   * Cloud Run and Cloudflare Workers, unless the platform's `waitUntil` is passed to the adapter; elsewhere the answer comes first.
   */
  handleWithinSeconds?: number | undefined;
  /**
   * Called with each error of the handler and the event that it handled, and with the {@link ReceiverError} of each request that is
   * not accepted. Default: prints errors of the handler to stderr, and of requests that are not accepted one line a minute for each code:
   * the code, the sender's address, the likely cause, and never content.
   */
  onError?: ((error: unknown, received?: Received) => unknown) | undefined;
}

/** A request, as an adapter passes it. */
interface ReceiverRequest {
  method: string | undefined;
  headers: RequestHeaders;
  body: () => BodySource;
  /** Address of the other end of the connection. */
  address: string | null | undefined;
  /** Whether the platform waits for what runs after the answer. */
  waits?: boolean;
  /** What the platform leaves of the option. */
  handleWithinSeconds?: number;
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
  411: "Length Required",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  503: "Service Unavailable",
};

/** What answers requests. */
export interface Receiver {
  /** What to answer: it leaks nothing of why a request is rejected. */
  answer(request: ReceiverRequest): Promise<Answer>;
  /** Reports what is not accepted, and returns the answer to it. */
  reject(error: unknown, sender: Pick<ReceiverRequest, "address" | "headers">): Answer;
}

/** Throws `options-invalid`, when the adapter is made rather than with the first request. */
export function createReceiver(handler: Handler, options: ReceiverOptions): Receiver {
  check(handler, options);
  const logRejection = rejectionLog();
  const report = (error: unknown, sender: Pick<ReceiverRequest, "address" | "headers">, received?: Received) => {
    const { onError } = options;
    const print = () => {
      if (error instanceof ReceiverError && received === undefined) logRejection(error, sender);
      else console.error(error);
    };
    // It may be asynchronous.
    void (async () => (onError ? onError(error, received) : print()))().catch((failure) => console.error(failure));
  };
  const reject: Receiver["reject"] = (error, sender) => {
    report(error, sender);
    return answerOf(error instanceof ReceiverError ? error.status : 500);
  };
  const answer: Receiver["answer"] = async (request) => {
    // A check whether the URL can be reached gets the answer that it looks for.
    if (request.method === "GET" || request.method === "HEAD") return answerOf(200);
    if (request.method !== "POST") return answerOf(405, { allow: "GET, HEAD, POST" });
    let received: Received;
    try {
      const body = await readBody(request.body(), maxBodyBytes(options));
      const secrets = await secretsFor(request.headers, options.secrets);
      received = receive(request.headers, body, { ...options, secrets });
    } catch (error) {
      return reject(error, request);
    }
    /** Handles the event; resolves to the status of the answer. */
    const handle = async () => {
      try {
        await handler(received);
        return 200;
      } catch (error) {
        report(error, request, received);
        return 500;
      }
    };
    const seconds =
      request.handleWithinSeconds ?? options.handleWithinSeconds ?? (request.waits ? undefined : secondsHere());
    if (seconds === undefined) return { ...answerOf(200), afterwards: async () => void (await handle()) };
    const status = await within(seconds, handle());
    if (status === 503) report(new ReceiverError("handler-timeout"), request, received);
    return answerOf(status);
  };
  return { answer, reject };
}

/** The secrets, if they come later only for a request that is signed: anyone can send others. */
async function secretsFor(headers: RequestHeaders, secrets: ReceiverOptions["secrets"]) {
  if (!areLater(secrets)) return secrets;
  requireSignature(headers);
  return resolveSecrets(secrets);
}

/** The headers of an answer on a connection: the rest of a body that is too large is not read, and nothing can follow it. */
export function closingHeaders({ status, headers }: Answer): Record<string, string> {
  return status === 413 ? { ...headers, connection: "close" } : headers;
}

function check(handler: Handler, options: ReceiverOptions): void {
  if (typeof handler !== "function") throw new ReceiverError("options-invalid", "the handler must be a function");
  checkLimits(options);
  const { secrets, onError } = options;
  if (areLater(secrets)) {
    // Each notification reports that it failed: an unhandled rejection must not end the process.
    if (typeof secrets !== "function") secrets.then(undefined, () => {});
  } else if (secrets !== false) listOfSecrets(secrets);
  checkNumber("handleWithinSeconds", options.handleWithinSeconds);
  if (onError !== undefined && typeof onError !== "function") {
    throw new ReceiverError("options-invalid", "onError must be a function");
  }
}

const secondsHere = () => (stoppingPlatform() === undefined ? undefined : defaultHandlerSeconds);

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
