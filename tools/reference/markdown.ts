/** Tables in Markdown. */

export const code = (text: string): string => `\`${text}\``;

export const list = (values: readonly string[]): string => values.map(code).join(", ");

const cell = (text: string): string =>
  text
    .replace(/(?<!\\)\|/g, "\\|")
    .replace(/\s+/g, " ")
    .trim();

const row = (cells: readonly string[]): string => `|${cells.map((text) => ` ${cell(text)}`.trimEnd()).join(" |")} |`;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), `|${"---|".repeat(head.length)}`, ...rows.map(row)].join("\n");
}
