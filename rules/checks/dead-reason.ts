/** Which addresses readers cannot reach. */
import { schemeOf } from "../../account-folder/text/html/addresses";
import { isPrivate } from "../../account-folder/text/private-hosts";
import { parseUrl } from "../../sdk/text/url";

/** Why readers cannot follow an address, or load it; undefined for one that they can. */
export function deadReason(url: string): string | undefined {
  if (/^https?:[/\\]*https?(?::|\/\/|%3a)/i.test(url)) return "the URL has two schemes";
  if (/^https?:(?!\/\/)/i.test(url)) return "// is missing after the scheme";
  const scheme = schemeOf(url);
  if (scheme === "file") return "file: leads to the reader's own computer";
  if (scheme !== undefined && /^[htps]{3,9}$/.test(scheme) && !/^https?$/.test(scheme))
    return `${scheme}: is not a scheme`;
  const host = parseUrl(url)?.hostname ?? "";
  if (/^https?$/.test(scheme ?? "") && host !== "" && isPrivate(host)) return `${host} is not reachable for readers`;
  return undefined;
}
