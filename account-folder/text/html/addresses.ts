/** The addresses in an email, as a browser reads them, from tags, style sheets and text. */
import { type CssAddress, cssAddresses } from "./css";
import type { DecodedText } from "./decoded-text";
import { type Attribute, parseHtml, type StartTag, startTagsOf, type TextRange } from "./parse";
import { type TextPiece, visibilityOf } from "./visibility";

export interface Address extends TextRange {
  /** Entities are decoded, and what browsers ignore is left out: spaces around it, tabs and line breaks within. */
  url: string;
  /** The element whose attribute it is in, as itself or in CSS. */
  element?: string;
  source: "attribute" | "style" | "text";
  /** False for pictures and the like. */
  isFollowed: boolean;
  /** True for a style sheet that another one loads. */
  isImport?: boolean;
}

/** Attributes whose value is an address, of any element: also those of VML and SVG. */
const ADDRESS_ATTRIBUTES: ReadonlySet<string> = new Set(
  "href src background action formaction poster cite longdesc data codebase lowsrc dynsrc manifest xlink:href o:href".split(
    " ",
  ),
);

const FOLLOWED: ReadonlySet<string> = new Set(["href", "action", "formaction", "content", "ping", "xlink:href"]);

/** Elements whose `href` is loaded, or a base. */
const LOADING: ReadonlySet<string> = new Set(["link", "base", "image", "feimage", "use"]);

/** True for an attribute whose value is one address. */
export const isAddressAttribute = (name: string): boolean => ADDRESS_ATTRIBUTES.has(name);

const IGNORED = /[\t\r\n]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore these characters around an address.
const AROUND = /^[\u0000-\u0020]+|(?<![\u0000-\u0020])[\u0000-\u0020]+$/g;

/** An address as a browser reads it. */
export const browserUrl = (written: string): string => written.replace(AROUND, "").replace(IGNORED, "");

/** The addresses of tags and style sheets. */
export function* addressesIn(html: string, tags: readonly StartTag[], texts: readonly TextPiece[]): Iterable<Address> {
  for (const tag of tags) yield* addressesOfTag(html, tag);
  for (const { css, start, end } of styleSheetsOf(texts)) {
    // In SVG, a style sheet may have entities: then the places are not those of the HTML.
    const isAsWritten = end - start === css.length;
    for (const each of cssAddresses(isAsWritten ? html.slice(start, end) : css))
      yield { ...toAddress(each, start), ...(!isAsWritten && { start, end }) };
  }
}

/** The texts of style elements, each in one piece. */
function styleSheetsOf(texts: readonly TextPiece[]): { css: string; start: number; end: number }[] {
  const sheets: { css: string; start: number; end: number }[] = [];
  for (const { text, start, end, within } of texts) {
    if (within !== "style") continue;
    const last = sheets.at(-1);
    if (last?.end === start) Object.assign(last, { css: last.css + text, end });
    else sheets.push({ css: text, start, end });
  }
  return sheets;
}

const toAddress = ({ url, isImport, start, end }: CssAddress, offset: number): Address => ({
  url: browserUrl(url),
  isImport,
  source: "style",
  isFollowed: false,
  start: offset + start,
  end: offset + end,
});

function* addressesOfTag(html: string, tag: StartTag): Iterable<Address> {
  for (const attribute of tag.attributes) {
    const { name, value, valueAt } = attribute;
    const isFollowed = FOLLOWED.has(name) && !LOADING.has(tag.name);
    const one = (url: string, at: TextRange = valueAt): Address => ({
      url: browserUrl(url),
      element: tag.name,
      source: "attribute",
      isFollowed,
      ...at,
    });
    if (ADDRESS_ATTRIBUTES.has(name)) yield one(value);
    else if (name === "srcset" || name === "imagesrcset")
      for (const url of srcsetUrls(value)) yield one(url, placeIn(html, attribute, url));
    else if (name === "ping") for (const url of value.split(/\s+/).filter(Boolean)) yield one(url);
    else if (name === "content" && tag.name === "meta") {
      const url = refreshUrl(value);
      if (url !== undefined && isRefresh(tag)) yield one(url, placeIn(html, attribute, url));
    } else if (name === "srcdoc") for (const inner of addressesOfHtml(value)) yield { ...inner, ...valueAt };
    else if (name === "style" || isSvgStyle(name)) yield* addressesOfStyle(html, tag.name, attribute);
  }
}

/** An attribute that SVG takes as CSS: `fill="url(…)"`. */
const isSvgStyle = (name: string) =>
  /^(?:fill|stroke|filter|mask|clip-path|marker(?:-start|-mid|-end)?|cursor)$/.test(name);

function* addressesOfStyle(html: string, element: string, { value, valueAt }: Attribute): Iterable<Address> {
  // With entities, the places are not those of the HTML.
  const isAsWritten = html.slice(valueAt.start, valueAt.end) === value;
  for (const each of cssAddresses(value)) {
    const address = toAddress(each, valueAt.start);
    yield { ...address, element, ...(!isAsWritten && valueAt) };
  }
}

/** The document in a frame's attribute; a document in that one is left out. */
function* addressesOfHtml(html: string): Iterable<Address> {
  const { tokens, tree } = parseHtml(html);
  const tags = startTagsOf(tokens).map((tag) => ({
    ...tag,
    attributes: tag.attributes.filter(({ name }) => name !== "srcdoc"),
  }));
  yield* addressesIn(html, tags, visibilityOf(tree).texts);
}

/** The place of a part of an attribute; of all of it if it is written in another way. */
function placeIn(html: string, { valueAt }: Attribute, part: string): TextRange {
  const at = html.slice(valueAt.start, valueAt.end).indexOf(part);
  return at < 0 ? valueAt : { start: valueAt.start + at, end: valueAt.start + at + part.length };
}

/** The addresses of the HTML standard's `srcset`: each up to a space, or to a comma at its end; then descriptors up to a comma. */
function srcsetUrls(srcset: string): string[] {
  const urls: string[] = [];
  let rest = srcset;
  for (;;) {
    rest = rest.replace(/^[\s,]+/, "");
    const url = /^\S+/.exec(rest)?.[0];
    if (url === undefined) return urls;
    urls.push(url.replace(/,+$/, ""));
    rest = rest.slice(url.length);
    if (!url.endsWith(",")) rest = rest.slice(/^(?:\([^)]*\)|[^,(])*/.exec(rest)![0].length);
  }
}

const isRefresh = (tag: StartTag): boolean =>
  tag.attributes.some(({ name, value }) => name === "http-equiv" && value.trim().toLowerCase() === "refresh");

/** The address in `5; url='…'`. */
function refreshUrl(content: string): string | undefined {
  const match = /^\s*[\d.]*[\s;,]*(?:url\s*=\s*)?(["']?)(.*)$/is.exec(content);
  if (match === null) return undefined;
  const [, quote, url = ""] = match;
  const end = quote ? url.indexOf(quote) : -1;
  const address = end < 0 ? url : url.slice(0, end);
  return address.trim() === "" ? undefined : address;
}

/** Mail clients make links of addresses in a text. */
const IN_TEXT = /\b(?:https?|ftp):\/\/[^\s<>"')\]]+/gi;

/** The addresses in a plain text. */
export const addressesOfText = (text: string): Address[] =>
  [...text.matchAll(IN_TEXT)].map((match) => {
    const url = match[0].replace(/[.,;:!?]+$/, "");
    return { url, source: "text", isFollowed: true, start: match.index, end: match.index + url.length };
  });

/** The addresses in the text of HTML. */
export const addressesOfDecoded = (decoded: DecodedText): Address[] =>
  addressesOfText(decoded.text).map((address) => ({ ...address, ...decoded.place(address.start, address.end) }));

/** The scheme of an address; undefined for a relative one. */
export const schemeOf = (url: string): string | undefined => /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();

/** True for an address that anyone on the way can read. */
export const isUnencrypted = (url: string): boolean => ["http", "ftp", "ws"].includes(schemeOf(url) ?? "");
