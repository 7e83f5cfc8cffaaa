/** What counts as the raw body of a request. */
import { ReceiverError } from "../errors";

/** The body exactly as it was received. A string is its UTF-8. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** A text or bytes, as they are; undefined of anything else, such as an object that a parser made of them. */
export function rawBodyOf(body: unknown): string | Uint8Array | undefined {
  if (typeof body === "string") return body;
  // Not with instanceof: test runners and platforms have several realms.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  const isBuffer = Object.prototype.toString.call(body) === "[object ArrayBuffer]";
  return isBuffer ? new Uint8Array(body as ArrayBuffer) : undefined;
}

/** The same; throws `raw-body-missing`. */
export function requireRawBody(body: unknown): string | Uint8Array {
  const raw = rawBodyOf(body);
  if (raw === undefined)
    throw new ReceiverError("raw-body-missing", "pass the body as a string or as bytes, not parsed");
  return raw;
}
