/** Which parts of an email its readers see: not hidden preheaders, rows without height, and the like. */
import { INVISIBLE } from "../invisible";
import { type Declarations, declarationsOf, merge, simpleRules } from "./css";
import type { HtmlElement, HtmlNode } from "./parse";

/** What an element inherits. */
interface Inherited {
  isHidden: boolean;
  /** CSS `visibility`, and text too small to read: an inner element can change both. */
  isInvisible: boolean;
  isTiny: boolean;
}

/** A text of the tree, with its place in the HTML. */
export interface TextPiece {
  text: string;
  start: number;
  end: number;
  isShown: boolean;
  /** The element that it is in, if its content is not part of the page: `style`, `script`, `title`. */
  within?: string;
}

export interface Visibility {
  /** All texts, in the order of the HTML. */
  texts: TextPiece[];
  /** Nodes that readers do not see. */
  hidden: ReadonlySet<HtmlNode>;
  /** Offsets of the tags of elements that readers see; of links, of those that have something to click. */
  shownTags: ReadonlySet<number>;
}

/** Elements whose content is not part of the page. */
const NO_PAGE = new Set(["style", "script", "title", "template", "noembed", "noframes", "iframe", "datalist"]);

/** Elements that show something without a text. */
const PICTURES = new Set("img svg video audio object embed iframe input button canvas picture".split(" "));

const SEEN = new RegExp(`[^\\s${INVISIBLE}]`, "u");

const isElement = (node: HtmlNode): node is HtmlElement => "tagName" in node;

/** The nodes in an element; those of a template are apart. */
export const childrenOf = (element: HtmlElement): HtmlNode[] =>
  "content" in element ? (element as unknown as { content: HtmlElement }).content.childNodes : element.childNodes;

/** @param isOutlook as Outlook shows them, which alone obeys `mso-hide` */
export function visibilityOf(tree: readonly HtmlNode[], isOutlook = false): Visibility {
  const texts: TextPiece[] = [];
  const hidden = new Set<HtmlNode>();
  const shownTags = new Set<number>();
  const rules = styleRules(tree);
  /** Returns whether something of the node is seen. */
  const walk = (node: HtmlNode, inherited: Inherited, within?: string): boolean => {
    const isHidden = inherited.isHidden || inherited.isInvisible || inherited.isTiny;
    if ("value" in node) {
      const { startOffset: start, endOffset: end } = node.sourceCodeLocation ?? { startOffset: 0, endOffset: 0 };
      texts.push({ text: node.value, start, end, isShown: !isHidden, ...(within !== undefined && { within }) });
      if (isHidden) hidden.add(node);
      return !isHidden && SEEN.test(node.value);
    }
    if (!isElement(node)) return false;
    const own = NO_PAGE.has(node.tagName)
      ? { ...inherited, isHidden: true }
      : inherit(node, inherited, rules, isOutlook);
    const inner = NO_PAGE.has(node.tagName) ? node.tagName : within;
    const hasContent = childrenOf(node)
      .map((child) => walk(child, own, inner))
      .includes(true);
    const isPicture = PICTURES.has(node.tagName) && !own.isHidden && !own.isInvisible && !isPixel(node);
    // A link without content cannot be followed.
    const isEmptyLink = node.tagName === "a" && !hasContent;
    if (own.isHidden || isEmptyLink) hidden.add(node);
    const at = node.sourceCodeLocation?.startOffset;
    if (at !== undefined && !own.isHidden && !own.isInvisible && !isEmptyLink) shownTags.add(at);
    return hasContent || isPicture;
  };
  for (const node of tree) walk(node, { isHidden: false, isInvisible: false, isTiny: false });
  return { texts: texts.sort((a, b) => a.start - b.start), hidden, shownTags };
}

/** The rules of all style elements together. */
function styleRules(tree: readonly HtmlNode[]): Map<string, Declarations> {
  let css = "";
  const collect = (node: HtmlNode): void => {
    if (!isElement(node)) return;
    if (node.tagName === "style")
      css += `${node.childNodes.map((text) => ("value" in text ? text.value : "")).join("")}\n`;
    else for (const child of childrenOf(node)) collect(child);
  };
  tree.forEach(collect);
  return css === "" ? new Map() : simpleRules(css);
}

function inherit(
  element: HtmlElement,
  outer: Inherited,
  rules: Map<string, Declarations>,
  isOutlook: boolean,
): Inherited {
  const attribute = (name: string) => element.attrs.find((each) => each.name === name)?.value;
  const classes = (attribute("class") ?? "").split(/\s+/).filter(Boolean);
  const { tagName } = element;
  const selectors = [tagName, ...classes.flatMap((name) => [`.${name}`, `${tagName}.${name}`]), `#${attribute("id")}`];
  let style: Declarations = new Map();
  for (const selector of rules.size === 0 ? [] : selectors) {
    const declarations = rules.get(selector);
    if (declarations) style = merge(style, declarations);
  }
  style = merge(style, declarationsOf(attribute("style") ?? ""));
  const of = (name: string) => style.get(name)?.value;
  const visibility = of("visibility");
  // Of `font`, the first length: `0/0 a`.
  const size = of("font-size") ?? /(?:^|\s)(0|[\d.]+(?:[a-z]+|%))(?=[\s/])/.exec(of("font") ?? "")?.[1];
  const isClosed = tagName === "dialog" && attribute("open") === undefined;
  const isOff = isClosed || of("display") === "none" || (isOutlook && of("mso-hide") === "all");
  return {
    isHidden: outer.isHidden || attribute("hidden") !== undefined || isOff || isCollapsed(of),
    isInvisible: visibility === undefined ? outer.isInvisible : /^(?:hidden|collapse)$/.test(visibility),
    isTiny: size === undefined || size === "inherit" ? outer.isTiny : isNothing(size, 1),
  };
}

/** Without size or opacity, or cut off, as what only screen readers read. */
function isCollapsed(of: (name: string) => string | undefined): boolean {
  if (isNothing(of("opacity")) || of("color") === "transparent" || isFarAway(of)) return true;
  if (CUT_OFF.some(([name, value]) => value.test(of(name) ?? ""))) return true;
  if (!/hidden|clip/.test(of("overflow") ?? "")) return false;
  return ["max-height", "height", "max-width", "width"].some((name) => isNothing(of(name)));
}

const CUT_OFF: readonly (readonly [string, RegExp])[] = [
  ["clip-path", /^(?:inset\(\s*(?:50|100)%|circle\(\s*0(?:px|%)?[\s)])/],
  ["transform", /scale(?:x|y|3d)?\(\s*0(?:\.0*)?\s*[,)]/],
  ["content-visibility", /^hidden$/],
];

/** A picture of one pixel, or none: one that is wide and low is a line. */
function isPixel({ attrs }: HtmlElement): boolean {
  const sides = attrs.filter(({ name }) => /^(?:width|height)$/.test(name));
  return sides.length > 0 && sides.every(({ value }) => isNothing(value.trim(), 1, "px"));
}

/** Moved out of the page, or clipped: `clip` is for what has a position. */
function isFarAway(of: (name: string) => string | undefined): boolean {
  const isFar = (name: string) => Number.parseFloat(of(name) ?? "") <= -999;
  if (isFar("text-indent") || isFar("margin-left")) return true;
  if (!/^(?:absolute|fixed)$/.test(of("position") ?? "")) return false;
  const isClipped = /^rect\(\s*(?:[01](?:px)?[\s,]*){4}\)/.test(of("clip") ?? "");
  return isClipped || ["left", "top", "right", "bottom"].some(isFar);
}

/** True for a length of at most some pixels (default: none). */
function isNothing(length: string | undefined, pixels = 0, defaultUnit = ""): boolean {
  const [, number, written] = /^([\d.]+(?:e[+-]?\d+)?)\s*([a-z%]*)/.exec(length ?? "") ?? [];
  if (number === undefined) return false;
  const unit = written || defaultUnit;
  return Number(number) === 0 || (unit === "px" && Number(number) <= pixels);
}
