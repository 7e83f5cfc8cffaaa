/** Validates base URL and API key. Returns what is wrong, without the value, or undefined. */
import { url } from "../api/scalars";
import { isLoopback } from "../text/url";

/** HTTPS is required, since every request contains the key; plain HTTP is allowed for loopback. */
export function validateBaseUrl(text: string): string | undefined {
  if (!url.safeParse(text).success) return "must be an absolute URL that begins with https://";
  const base = new URL(text);
  if (base.username !== "" || base.password !== "")
    return "must not contain a user name or password: the key goes into apiKey";
  if (base.search !== "" || base.hash !== "") return "must end with the path: no query or fragment";
  if (/\/v1\/*$/.test(base.pathname)) return "must not contain /v1: the client adds it";
  if (base.protocol === "http:" && !isLoopback(base.hostname))
    return "must begin with https:// (plain http:// only for this machine itself)";
  return undefined;
}

export function validateApiKey(key: unknown): string | undefined {
  if (typeof key !== "string" || key === "") return "must be the account's API key, a string";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be there
  if (/[\s\u0000-\u001f\u007f:]/.test(key)) return "must not contain a space, colon or control character";
  return undefined;
}
