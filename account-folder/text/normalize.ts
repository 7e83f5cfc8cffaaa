/**
 * The form in which two values of a field are compared: the service answers a value in a form of its own (§2.1, §2.2),
 * and what differs in that form only is not a difference.
 */

import { unescapeHtml } from "../../sdk/text/html-escape";
import { parseUrl } from "../../sdk/text/url";

/** Texts that are remembered: more objects than an account has, at a megabyte or two. */
const mostKnown = 10_000;

/** Each creation is compared with all objects that there are: the same few thousand texts, again and again. */
function remembered(canonical: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const form = canonical(text);
    if (known.size >= mostKnown) known.clear();
    known.set(text, form);
    return form;
  };
}

/** Line ends are rewritten on the way, spaces at the ends of lines cut. */
export const normalizeText = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();

/** Letter case means nothing, and `#RGB` is short for `#RRGGBB`. */
export const normalizeColour = (colour: string): string =>
  colour.toUpperCase().replace(/^#([0-9A-F])([0-9A-F])([0-9A-F])$/, "#$1$1$2$2$3$3");

/** A logo's address is answered with a time in its query, which changes by itself. */
export const normalizeLogo = (address: string): string => address.replace(/[?#].*$/s, "");

/** The same address in other letters: the host's capitals, the standard port, a missing `/`, characters that need encoding. */
export const normalizeUrl = remembered((address) => {
  const plain = address.replaceAll("&amp;", "&");
  return parseUrl(plain)?.href ?? plain;
});

/** The host of a URL; empty for other text. */
export const hostOf = (address: string): string => parseUrl(address)?.host ?? "";

/** A name as services keep it: in one line, without blanks at its ends, and perhaps escaped as HTML does. */
export const normalizeName = remembered((name) => unescapeHtml(name).replace(/\s+/g, " ").trim());

/** True for two notations of one name. */
export const isSameName = (a = "", b = ""): boolean => a === b || normalizeName(a) === normalizeName(b);

/** A text without the parts from one mark to another, in whatever case. One that has no end is text. */
function without(text: string, begin: string, end: string): string {
  const [first, ...parts] = text.split(new RegExp(begin, "i"));
  const ends = new RegExp(end, "is");
  return first + parts.map((part) => (ends.test(part) ? part.replace(ends, "") : begin + part)).join("");
}

/** A tag's name and where it leads: how it looks is the service's, and so are the tags that make a part a page. */
function bareTag(tag: string): string {
  const name = /^<[/!]?([a-z][\w:-]*)/i.exec(tag)?.[1]?.toLowerCase();
  if (name === undefined) return tag;
  if (["html", "head", "body", "doctype"].includes(name)) return "";
  const targets = tag.match(/\b(?:href|src)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/gi) ?? [];
  return `<${name}${targets.map((target) => target.replace(/^\w+/, (attribute) => attribute.toLowerCase())).join("")}>`;
}

/**
 * What is left of a text when a service has written it in a notation of its own: other spaces, quotes and tags, characters
 * escaped as HTML does, a whole page, or no comments (those for Outlook are usual in e-mails), styles and attributes. Too coarse
 * to find a change by; it tells an answer that was rewritten from one that is of another text.
 */
export const looseText = (text: string): string =>
  without(without(unescapeHtml(text), "<!--", "^.*?-->"), "<style", "^.*?</style\\s*>")
    .replace(/<[^<>]*>/g, bareTag)
    .replace(/["'/\s\u00a0]+/g, "");
