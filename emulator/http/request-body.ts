/** Parses a request: body, form fields, key. */
import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ApiError, throwApiError } from "../domain/errors";

/** Documents travel in forms as base64, so bodies can be large. */
const MAX_BODY = 64 * 1024 * 1024;

/** The whole body. Rejects if the client disconnects. A body that is too large is read to its end to keep the connection usable. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY) chunks.push(chunk);
  }
  if (size > MAX_BODY) throwApiError(10010, "the body is larger than 64 MB");
  return Buffer.concat(chunks);
}

/** The fields of a body, or why it is not valid, which matters only to operations that take one. */
export interface Form {
  fields: Record<string, string>;
  error?: ApiError;
}

export async function readForm(request: IncomingMessage): Promise<Form> {
  try {
    return { fields: parseFields(request.headers, await readBody(request)) };
  } catch (error) {
    if (error instanceof ApiError) return { fields: {}, error };
    throw error;
  }
}

function parseFields(headers: IncomingHttpHeaders, body: Buffer): Record<string, string> {
  // An empty body is a form without fields.
  if (body.length === 0) return {};
  const encoding = headers["content-encoding"] ?? "identity";
  if (!/^\s*identity\s*$/i.test(encoding))
    throwApiError(10007, `Content-Encoding is ${encoding}; compressed forms are not supported`);
  // A charset after the type is allowed.
  if (!/^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(headers["content-type"] ?? "")) throwApiError(10007);
  const invalid = body
    .toString("latin1")
    .split("&")
    .find((pair) => !isUtf8(percentDecode(pair)));
  if (invalid !== undefined) throwApiError(10010, `${invalid.split("=", 1)[0]} is not UTF-8`);
  return formFields(body);
}

/** The bytes of a percent-encoded part of a form. */
function percentDecode(text: string): Buffer {
  const unescaped = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(unescaped, "latin1");
}

/** Fields of a form-encoded body; of several with one name the last counts. */
export function formFields(body: Buffer): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body.toString("utf8")));
}

/** The user name of HTTP Basic, which is the key. The password is ignored. */
export function basicKey(authorization: string | undefined): string | undefined {
  const encoded = /^basic\s+([a-z0-9+/=_-]+)\s*$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? text : text.slice(0, colon);
}
