/**
 * The form in which two values of a field are compared: the API returns values in a form of its own, which is not a
 * difference.
 */

import { unescapeHtml } from "../../sdk/text/html-escape";
import { parseUrl } from "../../sdk/text/url";

/** Cached texts: more objects than an account has, in a megabyte or two. */
const CACHE_SIZE = 10_000;

/** Each creation is compared with all existing objects: the same few thousand texts, again and again. */
function cached(normalize: (text: string) => string): (text: string) => string {
  const forms = new Map<string, string>();
  return (text) => {
    const before = forms.get(text);
    if (before !== undefined) return before;
    const form = normalize(text);
    if (forms.size >= CACHE_SIZE) forms.clear();
    forms.set(text, form);
    return form;
  };
}

/** The API rewrites line ends and removes spaces at the ends of lines. */
export const normalizeText = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    // Begins at the first space: within a long run, each would be tried.
    .replace(/(?<![ \t])[ \t]+$/gm, "")
    .trim();

/** Ignores letter case; `#RGB` is short for `#RRGGBB`. */
export const normalizeColour = (colour: string): string =>
  colour.toUpperCase().replace(/^#([0-9A-F])([0-9A-F])([0-9A-F])$/, "#$1$1$2$2$3$3");

/** Ignores the host's letter case, the default port, a missing `/` and percent-encoding. */
export const normalizeUrl = cached((address) => {
  const plain = address.replaceAll("&amp;", "&");
  return parseUrl(plain)?.href ?? plain;
});

/** The host of a URL; empty for other text. */
export const hostOf = (address: string): string => parseUrl(address)?.host ?? "";

/** A name as the API stores it: in one line, trimmed, and possibly with HTML entities. */
export const normalizeName = cached((name) => unescapeHtml(name).replace(/\s+/g, " ").trim());

/** Ignores letter case, as mail servers do. */
export const normalizeEmail = (address: string): string => address.trim().toLowerCase();

/** True for two spellings of one name. */
export const isSameName = (a = "", b = ""): boolean => a === b || normalizeName(a) === normalizeName(b);

/** True for two spellings of one email address. */
export const isSameEmail = (a = "", b = ""): boolean => normalizeEmail(a) === normalizeEmail(b);

/** Removes the parts from one marker to another, ignoring letter case. A part without an end is kept. */
function without(text: string, begin: string, end: string): string {
  const [first, ...parts] = text.split(new RegExp(begin, "i"));
  const ends = new RegExp(end, "is");
  return first + parts.map((part) => (ends.test(part) ? part.replace(ends, "") : begin + part)).join("");
}

/** Reduces a tag to its name and URLs: the API changes styles, and adds the tags of a whole page. */
function bareTag(tag: string): string {
  const name = /^<[/!]?([a-z][\w:-]*)/i.exec(tag)?.[1]?.toLowerCase();
  if (name === undefined) return tag;
  if (["html", "head", "body", "doctype"].includes(name)) return "";
  const targets = tag.match(/\b(?:href|src)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/gi) ?? [];
  return `<${name}${targets.map((target) => target.replace(/^\w+/, (attribute) => attribute.toLowerCase())).join("")}>`;
}

/**
 * A text without everything that the API may rewrite: spaces, quotes, attributes, entities, comments (usual in emails for
 * Outlook), styles, and the tags of a whole page. Too coarse to detect changes, but it tells a rewritten text from another one.
 */
export const looseText = (text: string): string =>
  without(without(unescapeHtml(text), "<!--", "^.*?-->"), "<style", "^.*?</style\\s*>")
    .replace(/<[^<>]*>/g, bareTag)
    .replace(/["'/\s\u00a0]+/g, "");
