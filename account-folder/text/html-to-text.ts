/** Derives a plain-text body from an HTML one. */
import { convert, type DomNode, type FormatCallback } from "html-to-text";

/** A table with header cells holds data and keeps its columns; any other one is layout and reads as one cell after the other. */
const tableFormat: FormatCallback = (element, walk, builder, options) => {
  const name = holds(element, "th") && !holds(element, "table") ? "dataTable" : "block";
  // The converter's own formats, which its types leave out.
  const { formatters } = (builder as unknown as { options: { formatters: Record<string, FormatCallback> } }).options;
  formatters[name]!(element, walk, builder, options);
};

function holds(element: DomNode, name: string): boolean {
  return (element.children ?? []).some((child) => child.name === name || holds(child, name));
}

/**
 * The plain text of an HTML body: text as it is read, links as `text [address]`, no line breaks but those of the HTML.
 * Variables stay as they are.
 */
export function htmlToText(html: string): string {
  const cell = { format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } };
  const text = convert(html, {
    wordwrap: false,
    // All of it: what was added behind the body, such as a footer, is shown to readers as well.
    baseElements: { selectors: [] },
    formatters: { tableFormat },
    selectors: [
      // Capitals would turn {contract title} into a name that the service does not know.
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
