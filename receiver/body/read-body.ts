/** Reads the raw body of a request, up to a limit. */
import { ReceiverError } from "../errors";
import { rawBodyOf } from "./raw-body";

/** Where a body may be. */
export interface BodySource {
  /** Copies of it that upstream code may have: the first text or bytes are the body. */
  copies: readonly unknown[];
  /** The request or its body, as a stream; null if there is no body. */
  stream: unknown;
  length: string | null | undefined;
  /** Aborted when the client has disconnected. */
  signal?: AbortSignal | undefined;
}

/** The properties by which a stream shows that it was read, of Node's or the web's kind. */
interface Stream extends AsyncIterable<unknown> {
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterable<unknown>;
  readableEncoding?: BufferEncoding | null;
  readableDidRead?: boolean;
  locked?: boolean;
}

/** Reads the body. Throws `body-too-large` as soon as it is larger than the limit, and `raw-body-missing` if it is gone. */
export async function readBody(
  { copies, stream, length, signal }: BodySource,
  limit: number,
): Promise<string | Uint8Array> {
  for (const body of copies) {
    const raw = rawBodyOf(body);
    // An empty one may be where upstream code begins to gather: the stream has the body.
    if (raw !== undefined && (raw.length > 0 || !isUnread(stream))) return raw;
  }
  if (stream === null) return "";
  if (!isUnread(stream)) throw isGone();
  if (Number(length) > limit) throw new ReceiverError("body-too-large");
  return beforeAbort(collect(stream, limit), signal);
}

function isUnread(stream: unknown): stream is Stream {
  const { readableDidRead, locked, [Symbol.asyncIterator]: iterate } = Object(stream);
  return typeof iterate === "function" && readableDidRead !== true && locked !== true;
}

async function collect(stream: Stream, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Not destroyed at the limit, so that the answer can still be sent.
  const iterable = stream.iterator?.({ destroyOnReturn: false }) ?? stream;
  try {
    for await (const chunk of iterable) {
      // Upstream code may have called `setEncoding`.
      const bytes =
        typeof chunk === "string" ? Buffer.from(chunk, stream.readableEncoding ?? "utf8") : rawBodyOf(chunk);
      if (!(bytes instanceof Uint8Array)) throw isGone();
      size += bytes.length;
      if (size > limit) throw new ReceiverError("body-too-large");
      chunks.push(bytes);
    }
  } catch (error) {
    throw error instanceof ReceiverError ? error : isIncomplete();
  }
  return Buffer.concat(chunks);
}

/** Rejects when the client disconnects, also where the stream does not notice it. */
async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(isIncomplete());
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** The client has disconnected. */
const isIncomplete = () => new ReceiverError("not-an-event", "its body is incomplete");

const isGone = () =>
  new ReceiverError(
    "raw-body-missing",
    "it was read or parsed before the receiver. Put the receiver before body parsers and hooks that read it, or let them keep its " +
      'bytes. Express: before express.json() and express.urlencoded(), or behind express.raw({ type: () => true, limit: "1mb" }). ' +
      "Nest: app.use(path, expressReceiver(…)), or rawBody: true. Koa: before its parser. hapi: payload: { parse: false, output: " +
      '"stream" }. A page of Next: export const config = { api: { bodyParser: false } }. Others: docs/reference/receiver.md, "What ' +
      'acts before the receiver"',
  );
