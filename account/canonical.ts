/**
 * The form in which two values of a field are compared: the service answers a value in a form of its own (§2.1, §2.2),
 * and what differs in that form only is not a difference.
 */

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
