/**
 * The type of a file, by the ending of its URL. An ending that looks like a file's and is not an allowed one means another type. Endings
 * of pages and of domain names, which URLs of logo services contain, mean nothing.
 */

import { parseUrl } from "../text/url";

/** Endings of logos. */
export const logoEndings = ["png", "jpg", "jpeg", "jpe", "jfif"] as const;

const ending = /\.([a-z][a-z0-9]{1,4}|7z)$/i;
const page = /^(php\d?|phtml|aspx?|ashx|axd|jspx?|cgi|do|v\d+)$/;
const domain = /^([a-z]{2}|com|net|org|info|biz|app|dev|shop|store|cloud|group)$/;
/** Files with two letters, which are country codes otherwise. */
const shortFile = /^(ai|db|gz|js|md|ps|ts|xz)$/;

/** The ending of a URL's path, with its dot, if it is that of a file of another type than those allowed. */
export function otherEnding(url: string, allowed: readonly string[]): string | undefined {
  const [dotted, name] = ending.exec(parseUrl(url)?.pathname ?? "") ?? [];
  const type = name?.toLowerCase();
  if (type === undefined || allowed.includes(type) || page.test(type)) return undefined;
  return domain.test(type) && !shortFile.test(type) ? undefined : dotted;
}
