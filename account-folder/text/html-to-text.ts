/** Derives a plain-text body from an HTML one. */
import { convert, type DomNode, type FormatCallback } from "html-to-text";

/** A table with header cells contains data and keeps its columns; other tables are layout, read cell by cell. */
const tableFormat: FormatCallback = (element, walk, builder, options) => {
  const name = holds(element, "th") && !holds(element, "table") ? "dataTable" : "block";
  // The converter's own formats are missing from its types.
  const { formatters } = (builder as unknown as { options: { formatters: Record<string, FormatCallback> } }).options;
  formatters[name]!(element, walk, builder, options);
};

function holds(element: DomNode, name: string): boolean {
  return (element.children ?? []).some((child) => child.name === name || holds(child, name));
}

/**
 * The plain text of an HTML body: links as `text [url]`, no line breaks but those of the HTML. Variables are kept.
 */
export function htmlToText(html: string): string {
  const cell = { format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } };
  const text = convert(html, {
    wordwrap: false,
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
  return text.trim();
}
