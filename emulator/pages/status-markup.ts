/** Markup of the status page. */
import { parseTimestamp } from "../../sdk/api/scalars";
import { escapeHtml as e } from "../../sdk/text/html-escape";
import { mostRows } from "../domain/limits";

/** Markup with escaped text. */
export type Html = string;

export const time = (text: string): Html => {
  const date = parseTimestamp(text);
  const shown = date.toISOString().slice(0, 19).replace("T", " ");
  return `<time datetime="${e(date.toISOString())}">${shown}</time>`;
};

export const badge = (text: string, tone: string): Html => `<span class="badge ${tone}">${e(text)}</span>`;

/** A table of the first rows; `total` is the number of all. */
export function table(head: readonly string[], rows: readonly Html[][], total = rows.length): Html {
  if (rows.length === 0) return '<p class="none">None.</p>';
  const body = rows.slice(0, mostRows).map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
  const more = total > mostRows ? `<p class="none">… and ${total - mostRows} more.</p>` : "";
  return `<table><thead><tr>${head.map((h) => `<th>${h}</th>`).join("")}</tr></thead><tbody>${body.join("")}</tbody></table>${more}`;
}

/** A button that calls a control endpoint through the script. */
export function button(label: string, method: string, path: string, body?: unknown): Html {
  const data = body === undefined ? "" : ` data-body="${e(JSON.stringify(body))}"`;
  return `<button type="button" data-method="${method}" data-path="${e(path)}"${data}>${e(label)}</button>`;
}

/** A section that can be opened; it stays open when the page is refreshed. */
export function fold(id: string, title: Html, content: Html, open = false): Html {
  return `<details id="${id}"${open ? " open" : ""}><summary>${title}</summary>${content}</details>`;
}
