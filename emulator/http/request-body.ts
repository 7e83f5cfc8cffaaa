/** Parses a request: body, form fields, key. */
import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { brotliDecompressSync, unzipSync } from "node:zlib";
import { ApiError, throwApiError } from "../domain/api-errors";
import type { Settings } from "../domain/emulator-settings";
import { largestBody } from "../domain/limits";
import { refuse, refuses, switchOf } from "../domain/strictness";
import type { Fields } from "../handlers/body-fields";

const FORM_TYPE = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

const MAX_BODY = largestBody * 1024 * 1024;

/** The whole body. Rejects if the client disconnects. A body that is too large is read to its end to keep the connection usable. */
export async function readBody(request: IncomingMessage, limit = MAX_BODY): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  if (size > limit) throwApiError(10010, `the body is larger than ${largestBody} MB; ${switchOf("bodySize")}`);
  return Buffer.concat(chunks);
}

/** The fields of a body, or why it is not valid, which matters only to operations that take one. */
interface RequestFields {
  fields: Fields;
  error?: ApiError;
}

export async function readFields(request: IncomingMessage, settings: BodySettings): Promise<RequestFields> {
  try {
    const limit = refuses(settings, "bodySize") ? MAX_BODY : Number.POSITIVE_INFINITY;
    return { fields: parseFields(request.headers, await readBody(request, limit), settings) };
  } catch (error) {
    if (error instanceof ApiError) return { fields: {}, error };
    throw error;
  }
}

type BodySettings = Pick<Settings, "edition" | "bodyTypes" | "strictness">;

/** The body without its Content-Encoding. */
function decoded(headers: IncomingHttpHeaders, body: Buffer, settings: BodySettings): Buffer {
  // Node removes `chunked` only: what else was done to the body would be taken for its text.
  const transfer = (headers["transfer-encoding"] ?? "chunked").trim().toLowerCase();
  if (transfer !== "chunked") throwApiError(10007, `Transfer-Encoding is ${transfer}; only chunked is supported`);
  const encoding = (headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity") return body;
  const decode = { gzip: unzipSync, deflate: unzipSync, br: brotliDecompressSync }[encoding];
  const refusal = `Content-Encoding is ${encoding}; compressed bodies are not supported`;
  if (decode === undefined) return throwApiError(10007, refusal);
  refuse(settings, "compression", refusal);
  try {
    return decode(body, { maxOutputLength: MAX_BODY });
  } catch {
    return throwApiError(10010, `the body is not ${encoding}, or too large`);
  }
}

function parseFields(headers: IncomingHttpHeaders, encoded: Buffer, settings: BodySettings): Fields {
  // An empty body has no fields.
  if (encoded.length === 0) return {};
  const body = decoded(headers, encoded, settings);
  const isText = refuses(settings, "bodyText");
  // A charset after the type is allowed.
  const type = /^\s*([^\s;]*)/.exec(headers["content-type"] ?? "")![1]!.toLowerCase();
  const accepted = acceptedTypes(settings);
  if (!accepted.includes(type)) throwApiError(10007, `it must be ${accepted.join(" or ")}`);
  if (type === JSON_TYPE) return parseJson(body, isText);
  const pairs = isText ? body.toString("latin1").split("&") : [];
  const invalid = pairs.find((pair) => !isUtf8(percentDecode(pair)));
  if (invalid !== undefined) throwApiError(10010, `${invalid.split("=", 1)[0]} is not UTF-8; ${switchOf("bodyText")}`);
  return formFields(body);
}

function acceptedTypes({ edition, bodyTypes }: BodySettings): string[] {
  if (bodyTypes === "any") return [FORM_TYPE, JSON_TYPE];
  return [edition === "current" ? JSON_TYPE : FORM_TYPE];
}

function parseJson(body: Buffer, isText: boolean): Fields {
  if (isText && !isUtf8(body)) throwApiError(10010, `the body is not UTF-8; ${switchOf("bodyText")}`);
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      if (isText && hasHalfPairs(value))
        throwApiError(10010, `the body contains half of a surrogate pair; ${switchOf("bodyText")}`);
      return value as Fields;
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
  }
  return throwApiError(10010, "the body is not a JSON object");
}

/** Whether a text in a value has half of a surrogate pair: such ones, and no others, stay escaped in JSON. */
const hasHalfPairs = (value: unknown): boolean => /\\ud[89a-f]/.test(JSON.stringify(value).replaceAll("\\\\", ""));

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
