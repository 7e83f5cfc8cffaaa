/** Normal forms for comparing values. The API may return a value in another form than it was sent, which is not a difference. */

import { unescapeHtml } from "../../sdk/text/html-escape";
import { parseUrl } from "../../sdk/text/url";

/** Maximum number of cached texts. More than the objects of an account; takes a megabyte or two. */
const CACHE_SIZE = 10_000;

/** Caches a normalization: each create compares the same few thousand texts of existing objects. */
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

/** More marks on one letter than any language has (Unicode's "stream-safe text format"): composing so many takes quadratic time. */
const manyMarks = /\p{M}{31}/u;

/** One form for what Unicode can write in two, as é: macOS types and names files in the other one, and services may store either. */
export const compose = (text: string): string => (manyMarks.test(text) ? text : text.normalize("NFC"));

/** The API rewrites line endings and removes spaces at the ends of lines. */
export const normalizeText = (text: string): string =>
  compose(text)
    .replace(/\r\n?/g, "\n")
    // The lookbehind lets a match start at the first space only; otherwise a long run of spaces takes quadratic time.
    .replace(/(?<![ \t])[ \t]+$/gm, "")
    .trim();

/** Ignores letter case, and expands `#RGB` to `#RRGGBB`. */
export const normalizeColour = (colour: string): string =>
  colour.toUpperCase().replace(/^#([0-9A-F])([0-9A-F])([0-9A-F])$/, "#$1$1$2$2$3$3");

/**
 * Ignores the letter case of the host, the default port, a missing `/`, and how a character is written: one that URLs encode, or `&` as an
 * entity.
 */
export const normalizeUrl = cached((address) => {
  const plain = address.replaceAll("&amp;", "&");
  return parseUrl(plain)?.href ?? plain;
});

/** A name as the API stores it: in one line, trimmed, and possibly with HTML entities. */
export const normalizeName = cached((name) => compose(unescapeHtml(name)).replace(/\s+/g, " ").trim());

/** Ignores letter case, as mail servers do. */
export const normalizeEmail = (address: string): string => compose(address.trim().toLowerCase());

/** True if both are the same name, possibly spelt differently. */
export const isSameName = (a = "", b = ""): boolean => a === b || normalizeName(a) === normalizeName(b);

/** True if both are the same email address, possibly spelt differently. */
export const isSameEmail = (a = "", b = ""): boolean => normalizeEmail(a) === normalizeEmail(b);

/** Removes every part from `begin` to `end`, ignoring letter case. A part without an end is kept. */
function without(text: string, begin: string, end: string): string {
  const [first, ...parts] = text.split(new RegExp(begin, "i"));
  const ends = new RegExp(end, "is");
  return first + parts.map((part) => (ends.test(part) ? part.replace(ends, "") : begin + part)).join("");
}

/** Reduces a tag to its name and its URLs: the API changes styles, and adds the tags of a whole page. */
function bareTag(tag: string): string {
  const name = /^<[/!]?([a-z][\w:-]*)/i.exec(tag)?.[1]?.toLowerCase();
  if (name === undefined) return tag;
  if (["html", "head", "body", "doctype"].includes(name)) return "";
  const targets = tag.match(/\b(?:href|src)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/gi) ?? [];
  return `<${name}${targets.map((target) => target.replace(/^\w+/, (attribute) => attribute.toLowerCase())).join("")}>`;
}

/**
 * A text without everything that the API may rewrite: spaces, quotes, attributes, entities, comments (common in emails for Outlook),
 * styles, and the tags of a whole page. It cannot detect changes, but it distinguishes a rewritten text from a different one.
 */
export const looseText = (text: string): string =>
  without(without(compose(unescapeHtml(text)), "<!--", "^.*?-->"), "<style", "^.*?</style\\s*>")
    .replace(/<[^<>]*>/g, bareTag)
    .replace(/["'/\s\u00a0]+/g, "");
