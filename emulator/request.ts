/** Takes a request apart: body, form fields, key. */
import type { IncomingMessage } from "node:http";
import { refuse } from "./codes";

/** Documents travel in forms as base64, so bodies can be large. */
const LARGEST_BODY = 64 * 1024 * 1024;

/** The whole body. A client that breaks off makes it fail. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LARGEST_BODY) refuse(10010, "the body is larger than 64 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** True when the body is form-encoded, or when there is none. A charset behind the type is fine. */
export function isForm(contentType: string | undefined, body: string): boolean {
  if (body === "") return true;
  return /^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType ?? "");
}

/** Fields of a form-encoded body; of fields with one name the last counts. */
export function formFields(body: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body));
}

/** The fields that hold something: a form cannot say "nothing" otherwise than by an empty field. */
export function withoutEmpty(form: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ""));
}

/** The user name of HTTP Basic, which is the key (§5). The password is not looked at. */
export function basicKey(authorization: string | undefined): string | undefined {
  const encoded = /^basic\s+([a-z0-9+/=_-]+)\s*$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? text : text.slice(0, colon);
}
