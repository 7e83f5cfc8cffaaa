/** Where the logos of accounts are hosted: an account's data has path and query, so that they stay valid at another port. */
import { createHash, randomBytes } from "node:crypto";
import { isLoopback } from "../../sdk/text/url";
import type { Account } from "./data-schema";
import type { Settings } from "./emulator-settings";

const OWN_LOGO = /^\/logos\/((?:standard|\d+-[0-9a-f]{12})\.png)\?\d+$/;

/** Below this path is the address that a read makes up, which does not show what logo it is. */
const FRESH = "/images/";
const NONCE_BYTES = 9;

/** Path and query of a copied logo: one name per source, with the time of the copy in the query. */
function copyOf(account: string, source: string, copied: Date): string {
  const name = createHash("sha256").update(source).digest("hex").slice(0, 12);
  return `/logos/${account}-${name}.png?${Math.floor(copied.getTime() / 1000)}`;
}

/** Path and query of a logo. One that the emulator hosts already, on any loopback host, is kept: the emulator may have listened on another port. */
export function hostLogo(account: string, source: string, copied: Date, origin?: string): string {
  const url = new URL(source);
  const path = storedPath(url.pathname + url.search);
  const isOwn = OWN_LOGO.test(path) && (url.origin === origin || isLoopback(url.hostname));
  return isOwn ? path : copyOf(account, source, copied);
}

/** The address of an account's logo, as one read returns it. */
export function presentLogo(
  { branding: { logo } }: Account,
  origin: string,
  { logoAddress }: Pick<Settings, "logoAddress">,
): string | null {
  if (logo === null) return null;
  return new URL(logoAddress === "fresh" ? freshPath(logo) : logo, origin).href;
}

/** The file name of the logo at a path; undefined for another path. */
export const logoAt = (path: string): string | undefined => /^\/logos\/(.+?)(?:\?|$)/.exec(storedPath(path))?.[1];

const freshPath = (logo: string) =>
  FRESH + Buffer.concat([randomBytes(NONCE_BYTES), Buffer.from(logo)]).toString("base64url");

/** The path that a logo is stored by. */
function storedPath(path: string): string {
  if (!path.startsWith(FRESH)) return path;
  return Buffer.from(path.slice(FRESH.length), "base64url").subarray(NONCE_BYTES).toString();
}
