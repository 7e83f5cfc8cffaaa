/** The adapter for platforms that have the requests and responses of `fetch`. */
import { closingHeaders, createReceiver, type Handler, type ReceiverOptions } from "../answer";
import { ReceiverError } from "../errors";
import { hasUsableSignal } from "../platform";

/** The parts of a `Request` that are used: not every platform has the global class. */
interface FetchRequest {
  readonly method: string;
  readonly headers: Iterable<readonly [string, string]> & { get(name: string): string | null };
  readonly body: unknown;
  readonly bodyUsed?: boolean;
  readonly signal?: AbortSignal | null;
}

/**
 * What frameworks pass instead that have one argument for all: with `request` SvelteKit, Astro, Elysia and Pages Functions, with `req` h3,
 * with a request around that of `fetch` Hono, whose request may be passed alone.
 */
type FetchEvent =
  | { readonly request: FetchRequest }
  | { readonly req: FetchRequest | { readonly raw: FetchRequest } }
  | { readonly raw: FetchRequest };

/** What answers a request of `fetch`. A name, so that a module which exports one compiles with `declaration`. */
export type FetchHandler = (request: FetchRequest | FetchEvent, ...context: unknown[]) => Promise<Response>;

/**
 * A function from a fetch `Request`, or what has one as `request` or `req`, to a `Response`: to be passed as it is to Next, Deno, Bun,
 * Workers, Azure Functions, SvelteKit, Hono and their like. One of its arguments, which differ, that has `waitUntil` makes the platform wait for the
 * handler.
 */
export function fetchReceiver(handler: Handler, options: ReceiverOptions): FetchHandler {
  const receiver = createReceiver(handler, options);
  // Deno passes as many arguments as the function names, so the first has a name.
  return async (first: unknown, ...context) => {
    const { request: inner, req, raw } = Object(first);
    const request = [first, inner, req, req?.raw, raw].find(isRequest);
    if (request === undefined) {
      throw new ReceiverError(
        "options-invalid",
        "fetchReceiver needs a fetch Request; for Node's requests use nodeReceiver, and in h3 1 (Nuxt, Nitro 2) " +
          "(event) => receiver(toWebRequest(event), event)",
      );
    }
    const { method, headers } = request;
    const platform = [first, ...context].findLast(canWait);
    const body = () => ({
      copies: [request.body],
      stream: request.bodyUsed ? undefined : (request.body ?? null),
      length: headers.get("content-length"),
      signal: hasUsableSignal() ? (request.signal ?? undefined) : undefined,
    });
    const waits = platform !== undefined;
    const result = await receiver.answer({ method, headers, body, address: undefined, waits });
    if (result.afterwards) {
      // After this turn, in which the response is passed on.
      const done = new Promise((resolve) => setTimeout(resolve)).then(result.afterwards);
      try {
        platform?.waitUntil(done);
      } catch {
        // The event is accepted: where the platform cannot wait, the answer does.
        await done;
      }
    }
    const init = { status: result.status, headers: closingHeaders(result) };
    return new Response(method === "HEAD" ? null : result.body, init);
  };
}

/** An event may have the headers of its request, too, but not the body, which every request has: null where it is empty. */
function isRequest(value: unknown): value is FetchRequest {
  return "body" in Object(value) && typeof Object(Object(value).headers).get === "function";
}

function canWait(value: unknown): value is { waitUntil(promise: Promise<unknown>): void } {
  return typeof Object(value).waitUntil === "function";
}
