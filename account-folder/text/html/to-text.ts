/** Derives a plain-text body from an HTML one. */
import { convert, type DomNode, type FormatCallback } from "html-to-text";
import { serialize } from "parse5";
import { withoutFillers } from "../invisible";
import { HtmlLimitError, MAX_CELL_LENGTH, MAX_CELLS } from "./limits";
import { type HtmlElement, type HtmlNode, parseHtml } from "./parse";
import { childrenOf, visibilityOf } from "./visibility";

/** HTML's white space, and what people pad with: a row of these is one space, and none at the edge of a line. */
const SPACES = " \t\r\n\f\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f";

/** Elements that are written as they are; all others are no more than their content. */
const STRUCTURE = new Set(
  "a address article aside blockquote br center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul wbr".split(
    " ",
  ),
);

/** Tables of data keep their columns; those that lay out a page, and very large ones, are read cell by cell. */
const tableFormat: FormatCallback = (element, walk, builder, options) => {
  const name = isDataTable(element) ? "dataTable" : "block";
  // The converter's own formats are missing from its types.
  const { formatters } = (builder as unknown as { options: { formatters: Record<string, FormatCallback> } }).options;
  formatters[name]!(element, walk, builder, options);
};

/** Frameworks lay out with `<th>`, too: data has rows of several short cells, and headers beside other cells. */
function isDataTable(table: DomNode): boolean {
  const role = attributeIn(table, "role")?.toLowerCase();
  if (role === "presentation" || role === "none") return false;
  const [headers, others] = [find(table, "th"), find(table, "td")];
  if (headers.length === 0 || others.length === 0 || find(table, "table").length > 0) return false;
  const cells = [...headers, ...others];
  const isWithin = (cell: DomNode) => textIn(cell).length <= MAX_CELL_LENGTH && find(cell, "a").length === 0;
  const rows = find(table, "tr").filter((row) => {
    const written = (row.children ?? []).filter((cell) => /^t[hd]$/.test(cell.name ?? "") && textIn(cell) !== "");
    return written.length >= 2;
  });
  const span = (cell: DomNode, name: string) => Number(attributeIn(cell, name)) || 1;
  const size = cells.reduce((sum, cell) => sum + span(cell, "colspan") * span(cell, "rowspan"), 0);
  return rows.length >= 2 && size <= MAX_CELLS && cells.every(isWithin);
}

const attributeIn = (element: DomNode, name: string): string | undefined =>
  (element as { attribs?: Record<string, string> }).attribs?.[name];

/** All elements of a name in another one. */
function find(element: DomNode, name: string): DomNode[] {
  return (element.children ?? []).flatMap((child) => [...(child.name === name ? [child] : []), ...find(child, name)]);
}

const textIn = (node: DomNode): string =>
  ("data" in node ? (node.data ?? "") : (node.children ?? []).map(textIn).join("")).replace(/\s+/g, " ").trim();

/** Removes what readers do not see, and tags without a meaning for a text. */
function cleaned(nodes: readonly HtmlNode[], hidden: ReadonlySet<HtmlNode>): HtmlNode[] {
  return nodes.flatMap((node): HtmlNode[] => {
    if ("value" in node) return hidden.has(node) ? [] : [node];
    if (!("tagName" in node) || hidden.has(node)) return [];
    const children = cleaned(childrenOf(node), hidden);
    if (node.tagName === "a") return cleanedLink(node, children, hidden);
    return STRUCTURE.has(node.tagName) ? [{ ...node, childNodes: children } as HtmlElement] : children;
  });
}

/** A link that shows its own address needs it once; the label of one that is a picture is the picture's. */
function cleanedLink(link: HtmlElement, content: HtmlNode[], hidden: ReadonlySet<HtmlNode>): HtmlNode[] {
  const text = textOf(content).replace(/\s+/g, " ").trim();
  const isOwnAddress = text !== "" && text === valueIn(link, "href")?.replace(/^mailto:/i, "");
  if (isOwnAddress) return content;
  const label = text === "" ? labelsOf(link, hidden) : [];
  return [{ ...link, childNodes: [...content, ...label] } as HtmlElement];
}

const textOf = (nodes: readonly HtmlNode[]): string =>
  nodes.map((node) => ("value" in node ? node.value : "tagName" in node ? textOf(node.childNodes) : "")).join("");

const valueIn = (element: HtmlElement, name: string): string | undefined =>
  element.attrs.find((each) => each.name === name)?.value.trim();

/** The alternative texts of the pictures that readers see. */
function labelsOf(element: HtmlElement, hidden: ReadonlySet<HtmlNode>): HtmlNode[] {
  return childrenOf(element).flatMap((node) => {
    if (!("tagName" in node) || hidden.has(node)) return [];
    if (node.tagName !== "img") return labelsOf(node, hidden);
    return [{ nodeName: "#text", value: ` ${valueIn(node, "alt") ?? ""} ` } as HtmlNode];
  });
}

/**
 * The plain text of an HTML body: what its readers see, links as `text [url]`, no line breaks but those of the HTML. Variables are
 * kept. Throws an {@link HtmlLimitError} for one that is nested too deeply.
 */
export function htmlToText(html: string): string {
  const { tree } = parseHtml(html);
  const fragment = { nodeName: "#document-fragment", childNodes: cleaned(tree, visibilityOf(tree).hidden) };
  const cell = { format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } };
  const text = convert(serialize(fragment as never), {
    wordwrap: false,
    whitespaceCharacters: SPACES,
    baseElements: { selectors: [] },
    formatters: { tableFormat },
    selectors: [
      // Capitals would turn {contract title} into an unknown variable.
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
      {
        selector: "table",
        format: "tableFormat",
        options: { uppercaseHeaderCells: false, maxColumnWidth: 2 * MAX_CELL_LENGTH },
      },
      ...["details", "summary"].map((selector) => ({ selector, ...cell })),
      { selector: "td", ...cell },
      { selector: "th", ...cell },
      { selector: "a", options: { noAnchorUrl: true } },
    ],
  });
  return withoutFillers(text).trim();
}
