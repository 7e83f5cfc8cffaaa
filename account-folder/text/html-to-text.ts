/** Derives a plain-text body from an HTML one. */
import { convert, type DomNode, type FormatCallback, type HtmlToTextOptions } from "html-to-text";
import { HtmlLimitError } from "./html-limits";

/** Levels of nesting; the converter would exhaust the stack. */
const MAX_DEPTH = 500;
/** What the converter writes in place of deeper content: a character that no text contains. */
const TOO_DEEP = "\u{10fffe}";

/** The cells of a data table, with the rows and columns that they span. The converter's time grows with their square. */
const MAX_CELLS = 2000;

/**
 * A table with header cells contains data and keeps its columns; other tables, and very large ones, are read cell by cell.
 */
const tableFormat: FormatCallback = (element, walk, builder, options) => {
  const isData = !holds(element, "table") && holds(element, "th") && cellsIn(element) <= MAX_CELLS;
  const name = isData ? "dataTable" : "block";
  // The converter's own formats are missing from its types.
  const { formatters } = (builder as unknown as { options: { formatters: Record<string, FormatCallback> } }).options;
  formatters[name]!(element, walk, builder, options);
};

/** The converter fails for elements that have the name of a member of every object, such as `<constructor>`. */
function converted(html: string, options: HtmlToTextOptions): string {
  try {
    return convert(html, options);
  } catch (error) {
    throw new HtmlLimitError("it contains an element that has no plain text", error);
  }
}

function holds(element: DomNode, name: string): boolean {
  return (element.children ?? []).some((child) => child.name === name || holds(child, name));
}

function cellsIn(element: DomNode): number {
  const { colspan, rowspan } = (element as { attribs?: { colspan?: string; rowspan?: string } }).attribs ?? {};
  const own = element.name === "th" || element.name === "td" ? (Number(colspan) || 1) * (Number(rowspan) || 1) : 0;
  return (element.children ?? []).reduce((sum, child) => sum + cellsIn(child), own);
}

/**
 * The plain text of an HTML body: links as `text [url]`, no line breaks but those of the HTML. Variables are kept.
 * Throws an {@link HtmlLimitError} for one that is nested too deeply.
 */
export function htmlToText(html: string): string {
  const cell = { format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } };
  const text = converted(html, {
    wordwrap: false,
    limits: { maxDepth: MAX_DEPTH, ellipsis: TOO_DEEP },
    // Includes content after the body, such as a footer: mail clients show it as well.
    baseElements: { selectors: [] },
    formatters: { tableFormat },
    selectors: [
      // Capitals would turn {contract title} into an unknown variable.
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
      {
        selector: "table",
        format: "tableFormat",
        options: { uppercaseHeaderCells: false, maxColumnWidth: 60 },
      },
      { selector: "td", ...cell },
      { selector: "th", ...cell },
      { selector: "title", format: "skip" },
      { selector: "img", format: "skip" },
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    ],
  });
  if (text.includes(TOO_DEEP)) throw new HtmlLimitError(`its elements are nested more than ${MAX_DEPTH} levels deep`);
  return text.trim();
}
