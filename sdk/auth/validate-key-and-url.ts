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
  if (/^https?:/i.test(key)) return "is a URL, which goes into baseUrl: it must be the account's API key";
  if (/^(authorization|bearer|basic)[\s:]/i.test(key))
    return "must be the key alone, without the words of a header before it";
  if (/^["'`\u2018-\u201f]|["'`\u2018-\u201f]$/.test(key))
    return "must not have quotation marks: they are part of the value here";
  if (/^(<.*>|\$\{.*\}|\$[A-Z_]+|…|\.{3})$/.test(key)) return "must be the account's API key, not a placeholder for it";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be there
  if (/[\s\u0000-\u001f\u007f:]/.test(key)) return "must not contain a space, colon or control character";
  if (/[^!-~]/.test(key)) return "must have ASCII characters only: it was not copied whole, or is not a key";
  return undefined;
}
