/** What is wrong with a body whose signature is wrong: it may not be the one that was sent. */
import { ReceiverError } from "../errors";
import { type RequestHeaders, readHeader } from "../headers";

const encodings: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate", "br", "zstd"]);

/**
 * The error of a body that is not as it was sent; undefined if it seems to be. It is asked only of a body whose signature is wrong or
 * that is no event: whatever the headers say, a body that is right is accepted.
 */
export function bodyFault(headers: RequestHeaders, body: string | Uint8Array): ReceiverError | undefined {
  const size = Buffer.byteLength(body);
  const header = (name: string) => readHeader(headers, name)?.toLowerCase() || undefined;
  const encoding = header("content-encoding") ?? "identity";
  if (encoding !== "identity" && !isText(body)) {
    return new ReceiverError("body-compressed", encodings.has(encoding) ? encoding : undefined);
  }
  const length = header("content-length");
  // Upstream code that has decompressed it leaves both headers.
  if (encoding === "identity" && length !== undefined && /^\d{1,15}$/.test(length) && Number(length) !== size) {
    return new ReceiverError(
      "raw-body-missing",
      `${size} of ${length} bytes are here: upstream code has not gathered all of it yet, or has changed it`,
    );
  }
  if (size > 0) return undefined;
  // A notification has a type: of a request without one, too little is known.
  const isCut = length === undefined && !header("transfer-encoding") && header("content-type") !== undefined;
  return new ReceiverError(isCut ? "length-missing" : "body-empty");
}

/** Compressed data are no UTF-8, or have control characters; upstream code may have made a text of them. */
function isText(body: string | Uint8Array): boolean {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
  return !/[\0-\x08\x0b\x0c\x0e-\x1f\ufffd]/.test(text);
}
