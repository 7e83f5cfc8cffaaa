/** Reads the raw body of a request, up to a limit. */
import type { IncomingMessage } from "node:http";
import { ReceiverError } from "./errors";

/** Reads the body of a Node request. */
export function readNodeBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"]) > limit) throw new ReceiverError("body-too-large");
    const chunks: Uint8Array[] = [];
    let size = 0;
    request
      .on("data", (chunk: Uint8Array) => {
        size += chunk.length;
        // Not destroyed, so that the answer can still be sent.
        if (size > limit) reject(new ReceiverError("body-too-large"));
        else chunks.push(chunk);
        if (size > limit) request.pause();
      })
      .on("end", () => resolve(Buffer.concat(chunks)))
      .on("error", () => reject(incomplete()))
      .on("close", () => reject(incomplete()));
  });
}

/** Reads the body of a fetch request. */
export async function readFetchBody(request: Request, limit: number): Promise<Uint8Array> {
  if (request.bodyUsed) throw new ReceiverError("raw-body-missing", "pass the request before its body is read");
  if (Number(request.headers.get("content-length")) > limit) throw new ReceiverError("body-too-large");
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body = (request.body ?? []) as AsyncIterable<Uint8Array>;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > limit) break;
      chunks.push(chunk);
    }
  } catch {
    throw incomplete();
  }
  if (size > limit) throw new ReceiverError("body-too-large");
  return Buffer.concat(chunks);
}

/** The client has disconnected. */
const incomplete = () => new ReceiverError("not-an-event", "its body is incomplete");
