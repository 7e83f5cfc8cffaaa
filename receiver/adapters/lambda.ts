/** The adapter for AWS Lambda behind an API Gateway (REST or HTTP API), a function URL or an Application Load Balancer. */
import { type Answer, createReceiver, type Handler, type ReceiverOptions } from "../answer";
import { ReceiverError } from "../errors";
import type { RequestHeaders } from "../headers";
import { defaultHandlerSeconds } from "../platform";

/** The parts of the events of these sources that are used. */
interface LambdaEvent {
  httpMethod?: string | undefined;
  /** Of an HTTP API and a function URL it has the method. */
  requestContext?: unknown;
  headers?: RequestHeaders | null | undefined;
  multiValueHeaders?: RequestHeaders | null | undefined;
  body?: string | null | undefined;
  /** What a middleware that parsed the body has kept of it. */
  rawBody?: unknown;
  isBase64Encoded?: boolean | undefined;
}

interface LambdaContext {
  getRemainingTimeInMillis?(): number;
}

interface LambdaResult {
  statusCode: number;
  /** Load balancers want it. */
  statusDescription: string;
  headers?: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
  body: string;
  isBase64Encoded: boolean;
}

/** What is left of the function's time for the answer. */
const MARGIN_SECONDS = 0.5;

/** What answers an event. A name, so that a module which exports one compiles with `declaration`. */
export type LambdaHandler = (event: LambdaEvent, context?: LambdaContext) => Promise<LambdaResult>;

/**
 * A handler of AWS Lambda. Lambda stops a function after its answer, so the event is handled first, in `handleWithinSeconds`, by
 * default 10 or what is left of the function's time.
 */
export function lambdaReceiver(handler: Handler, options: ReceiverOptions): LambdaHandler {
  const receiver = createReceiver(handler, options);
  return async (event, context) => {
    const { http = {}, identity } = Object(event?.requestContext);
    const method = event?.httpMethod ?? Object(http).method;
    const address = Object(http).sourceIp ?? Object(identity).sourceIp;
    if (typeof method !== "string") {
      const error = new ReceiverError(
        "not-an-event",
        `it is ${describeSource(event)}, and no HTTP request of an API Gateway, a function URL or a load balancer`,
      );
      // What is answered counts as handled, and a queue deletes it.
      if (sourceOfRecords(event) !== undefined) throw error;
      return resultOf(receiver.reject(error, { headers: {}, address: undefined }), Object(event), "POST");
    }
    // A REST API has both, and only the second has a header that is there twice. A local gateway may leave it empty.
    const several = Object.keys(event.multiValueHeaders ?? {}).length > 0;
    const headers = (several ? event.multiValueHeaders : event.headers) ?? {};
    const copies = [event.rawBody, event.body].map((each) => decode(each, event));
    const body = () => ({ copies, stream: event.body == null ? null : undefined, length: undefined });
    const left = (context?.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY) / 1000 - MARGIN_SECONDS;
    const seconds = Math.max(0, Math.min(options.handleWithinSeconds ?? defaultHandlerSeconds, left));
    const result = await receiver.answer({ method, headers, body, address, handleWithinSeconds: seconds });
    return resultOf(result, event, method);
  };
}

function resultOf(result: Answer, event: LambdaEvent, method: string): LambdaResult {
  return {
    statusCode: result.status,
    statusDescription: `${result.status} ${result.body}`,
    ...headersLike(event, result.headers),
    body: method === "HEAD" ? "" : result.body,
    isBase64Encoded: false,
  };
}

/** Where the records of a queue or stream come from; undefined for an event that has none. */
function sourceOfRecords(event: unknown): unknown {
  const { Records, records, eventSource } = Object(event);
  const [first] = Object.values(Object(Records ?? records)).flat();
  return eventSource ?? Object(first).eventSource ?? Object(first).EventSource ?? (first && "a stream");
}

/** An event of another service, a schedule, or a call that keeps the function warm: by its source, if that is a name. */
function describeSource(event: unknown): string {
  const source = sourceOfRecords(event) ?? Object(event).source;
  return typeof source === "string" && /^[\w.: -]{1,60}$/.test(source) ? `an event of ${source}` : "another event";
}

/** A middleware may have parsed it. */
function decode(body: unknown, { isBase64Encoded }: LambdaEvent): unknown {
  return typeof body === "string" && isBase64Encoded ? Buffer.from(body, "base64") : body;
}

/** A load balancer wants the headers of the response in the shape of those of the request. */
function headersLike({ multiValueHeaders }: LambdaEvent, headers: Record<string, string>) {
  if (!multiValueHeaders) return { headers };
  return { multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])) };
}
