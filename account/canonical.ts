/**
 * The form in which two values of a field are compared: the service answers a value in a form of its own (§2.1, §2.2),
 * and what differs in that form only is not a difference.
 */
import { parseUrl } from "../sdk/wire";
import { unescapeHtml } from "./escape";

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
export const canonicalText = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();

/** Letter case means nothing, and `#RGB` is short for `#RRGGBB`. */
export const canonicalColour = (colour: string): string =>
  colour.toUpperCase().replace(/^#([0-9A-F])([0-9A-F])([0-9A-F])$/, "#$1$1$2$2$3$3");

/** A logo's address is answered with a time in its query, which changes by itself. */
export const canonicalLogo = (address: string): string => address.replace(/[?#].*$/s, "");

/** The same address in other letters: the host's capitals, the standard port, a missing `/`, characters that need encoding. */
export const canonicalUrl = remembered((address) => {
  const plain = address.replaceAll("&amp;", "&");
  return parseUrl(plain)?.href ?? plain;
});

/** A name as services keep it: in one line, without blanks at its ends, and perhaps escaped as HTML does. */
export const canonicalName = remembered((name) => unescapeHtml(name).replace(/\s+/g, " ").trim());

/** True for two notations of one name. */
export const isSameName = (a = "", b = ""): boolean => a === b || canonicalName(a) === canonicalName(b);

/** A text without HTML's comments. One that has no end is text. */
const withoutComments = (text: string): string =>
  text
    .split("<!--")
    .map((part, n) => {
      const end = part.indexOf("-->");
      return n === 0 ? part : end < 0 ? `<!--${part}` : part.slice(end + 3);
    })
    .join("");

/**
 * What is left of a text when a service has written it in a notation of its own: other spaces, quotes and tags, characters
 * escaped as HTML does, or no comments (those for Outlook are usual in e-mails). Too coarse to find a change by; it tells an
 * answer that was rewritten from one that is of another text.
 */
export const bareText = (text: string): string =>
  withoutComments(unescapeHtml(text))
    .replace(/<[^>]*>/g, (tag) => tag.toLowerCase())
    .replace(/["'/\s\u00a0]+/g, "");
