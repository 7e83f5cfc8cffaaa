/** CSV for spreadsheets. */

/**
 * Whether a spreadsheet takes a text for a formula: it begins with one of their signs, also in full width, after what programs ignore at the
 * beginning: white space, control and invisible characters, and the sign for a text itself.
 */
const isFormula = (text: string): boolean =>
  /^[\s\p{Cc}\p{Cf}\p{Z}'"]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20\uFE62\uFE63\uFE66\uFE6B\u2212]/u.test(text);

/** A cell. A text that begins like a formula, or with what hides that, becomes a text; numbers stay numbers. */
export function csvCell(value: string | number | undefined): string {
  const plain = typeof value === "string" ? value.replaceAll("\0", "") : String(value ?? "");
  const isText = typeof value === "string" && (isFormula(plain) || /^[\t\r\n]/.test(plain));
  const text = isText ? `'${plain}` : plain;
  return /[",;\t\r\n']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lines of cells, each with its line end. */
export const toCsv = (rows: readonly (readonly (string | number | undefined)[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(",")}\n`).join("");
