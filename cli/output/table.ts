/** Tables for people: columns without lines, cut to the terminal. */
import Table from "cli-table3";
import width from "string-width";
import { colours } from "./terminal";

const bare = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};

/** A table in a pipe may be wide; for whole HTML bodies there is --json. */
const pipeWidth = 240;

/** How many columns a table may take. A terminal that does not know its size says 0. */
export const availableWidth = (): number => (process.stdout.isTTY ? process.stdout.columns || 80 : pipeWidth);

/** A value as it is, or as JSON where it would break a line or move the cursor. */
export const literal = (value: unknown): string =>
  typeof value === "string" && !/\p{Cc}/u.test(value)
    ? value
    : (JSON.stringify(value) ?? "").replace(/\p{Cc}/gu, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);

/** One line per row; a cell never breaks a line or moves the cursor. */
export const oneLine = (value: string): string =>
  value
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "")
    .trim();

/** With `whole`, cells are neither cut nor tidied: for values that people want as they are. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { whole = false }: { whole?: boolean } = {},
): string {
  const cells = whole ? rows : rows.map((row) => row.map(oneLine));
  const wanted = head.map((title, i) => Math.max(width(title), ...cells.map((row) => width(row[i] ?? ""))));
  const out = new Table({
    head: head.map((title) => colours.bold(title)),
    chars: bare,
    colWidths: whole ? wanted : fitted(wanted, availableWidth()),
    wordWrap: false,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  out.push(...cells.map((row) => [...row]));
  return out
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Whether all of a table can be seen. */
export const fits = (head: readonly string[], rows: readonly (readonly string[])[]): boolean => {
  const widths = head.map((title, i) => Math.max(width(title), ...rows.map((row) => width(oneLine(row[i] ?? "")))));
  return widths.reduce((sum, each) => sum + each, 2 * (widths.length - 1)) <= availableWidth();
};

/** Takes width away from the widest columns until all fit. */
function fitted(wanted: number[], total: number): number[] {
  const widths = [...wanted];
  const gaps = 2 * (widths.length - 1);
  while (widths.reduce((sum, w) => sum + w, gaps) > total) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= 12) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** An object as `name  value` lines. */
export function nameValueTable(entries: readonly (readonly [string, string])[]): string {
  const longest = Math.max(0, ...entries.map(([name]) => width(name)));
  return entries
    .map(
      ([name, value]) =>
        `${colours.bold(name)}${" ".repeat(longest - width(name))}  ${value.replaceAll("\n", `\n${" ".repeat(longest + 2)}`)}`,
    )
    .join("\n");
}
