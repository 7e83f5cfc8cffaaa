/** What gives access to an account, the base address and the key: what is wrong with them, if anything. Never holds the value. */
import { url } from "../api/scalars";
import { isLoopback } from "../text/url";

/** HTTPS is demanded (§5), since the key goes with every request; loopback is this machine itself. */
export function faultOfBase(text: string): string | undefined {
  if (!url.safeParse(text).success) return "must be an absolute address that begins with https://";
  const base = new URL(text);
  if (base.username !== "" || base.password !== "")
    return "must hold no user name or password: the key goes into apiKey";
  if (base.search !== "" || base.hash !== "") return "must end with the path: no query or fragment";
  if (/\/v1\/*$/.test(base.pathname)) return "must not hold /v1: every path of the interface begins with it";
  if (base.protocol === "http:" && !isLoopback(base.hostname))
    return "must begin with https:// (plain http:// only for this machine itself)";
  return undefined;
}

/** What is wrong with a key, if anything. */
export function faultOfKey(key: unknown): string | undefined {
  if (typeof key !== "string" || key === "") return "must be the account's key, a text";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be there
  if (/[\s\u0000-\u001f\u007f:]/.test(key))
    return "must hold no blank, colon or control character (§5: it is the user name of HTTP Basic)";
  return undefined;
}
