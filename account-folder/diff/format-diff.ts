/** Formats a comparison: as lines grouped by resource, and as Markdown for a pull request. */

import { structuredPatch } from "diff";
import { groupBy } from "../../definitions/group-by";
import { kinds } from "../../definitions/index";
import { displayName } from "../../definitions/kind";
import { isSubaccount, type ResourceKind } from "../../definitions/model";
import { joinLines, plural } from "../../definitions/text/display";
import { redactUrl } from "../../redaction/url-credentials";
import type { Comparison, FieldChange, IgnoredDifference, ResourceChange } from "./comparison";

/** A line and what it is, so that a terminal can colour it. */
export interface Line {
  kind: "heading" | "add" | "remove" | "change" | "context" | "note";
  text: string;
}

/** `email template email-send of subaccount Acme` */
export function resourceName(change: Pick<ResourceChange, "kind" | "name" | "company">): string {
  const own = displayName(kinds[change.kind], change.name);
  return change.company === undefined ? own : `${own} of subaccount ${joinLines(change.company)}`;
}

export const fieldName = (kind: ResourceKind, { field }: FieldChange) => kinds[kind].fields[field]?.label ?? field;

interface FormatOptions {
  /** Unchanged lines around a change. */
  context?: number;
  /** What else there is to say of a resource that one side lacks, or of a field. */
  note?: (change: ResourceChange, field?: FieldChange) => string | undefined;
}

/** The differences as lines, with the ignored ones as notes at the end. */
export function formatComparison(comparison: Comparison, options: FormatOptions = {}): Line[] {
  return [...comparison.changes.flatMap((change) => formatChange(change, options)), ...formatSummary(comparison)];
}

function formatChange(change: ResourceChange, { context = 2, note }: FormatOptions): Line[] {
  const said = (field?: FieldChange) => {
    const text = note?.(change, field);
    return text === undefined ? "" : ` (${text})`;
  };
  const name = resourceName(change);
  if (change.action === "change")
    return [
      { kind: "heading", text: `~ ${name}` },
      ...change.fields.flatMap((field) => {
        const [head, ...lines] = formatField(change.kind, field, context);
        return [{ ...head!, text: `${head!.text}${said(field)}` }, ...lines];
      }),
    ];
  const kind = change.action;
  // The name of a webhook says it all.
  const more = isSubaccount(change.kind) ? change.fields.filter(({ field }) => field !== "name") : [];
  return [
    { kind, text: `${kind === "add" ? "+" : "-"} ${name}${said()}` },
    ...more.map((field): Line => {
      return { kind, text: `    ${fieldName(change.kind, field)}: ${quote(field.after ?? field.before)}` };
    }),
  ];
}

/** What has become of a field, in one line, and lines of the texts if they are long. */
export function formatField(kind: ResourceKind, field: FieldChange, context = 0): Line[] {
  const { before, after } = field;
  const label = `    ${fieldName(kind, field)}`;
  if (before === undefined) return [{ kind: "add", text: `${label}: set to ${shorten(after ?? "")}` }];
  if (after === undefined) return [{ kind: "remove", text: `${label}: no longer set, was ${shorten(before)}` }];
  if (!isLong(before) && !isLong(after))
    return [{ kind: "change", text: `${label}: ${quote(before)} → ${quote(after)}` }];
  const diff = diffLines(before, after, context);
  const count = (kind: Line["kind"]) => plural(diff.filter((line) => line.kind === kind).length, "line");
  return [
    { kind: "change", text: `${label}: ${count("add")} added, ${count("remove")} removed` },
    ...diff.map((line) => ({ ...line, text: `        ${line.text}` })),
  ];
}

/** The changed lines with unchanged lines around them. */
function diffLines(before: string, after: string, context: number): Line[] {
  // Without normalized line ends, a body with other ones would differ in every line.
  const patch = structuredPatch("", "", normalizeLineEnds(before), normalizeLineEnds(after), "", "", { context });
  return patch.hunks.flatMap((hunk, index) => [
    ...(index > 0 ? [{ kind: "context", text: "  …" } as Line] : []),
    ...hunk.lines.map((line): Line => {
      const kind = line.startsWith("+") ? "add" : line.startsWith("-") ? "remove" : "context";
      return { kind, text: `${line[0]} ${shortenLine(line.slice(1))}` };
    }),
  ]);
}

const normalizeLineEnds = (text: string) => text.replace(/\r\n?/g, "\n");
const isLong = (text: string) => text.length > 100 || /[\r\n]/.test(text);
const quote = (text = "") => `"${redactUrl(text)}"`;

/** A long value as its size. */
const shorten = (text: string) =>
  isLong(text)
    ? `${plural(normalizeLineEnds(text).split("\n").length, "line")}, ${plural(text.length, "character")}`
    : quote(text);

/** The beginning of a long line, without credentials: those are looked for in all of it. The files and `--json` have the rest. */
function shortenLine(line: string): string {
  const shown = redactUrl(line);
  return shown.length > 200 ? `${shown.slice(0, 200)}… (${line.length} characters)` : shown;
}

function formatSummary({ changes, environment, unmanaged, uncompared }: Comparison): Line[] {
  const text =
    changes.length === 0
      ? "No differences."
      : `${plural(changes.length, "resource")} differ${changes.length === 1 ? "s" : ""}.`;
  return [
    { kind: "heading", text },
    ...formatIgnored("ignored, differs between environments", environment),
    ...formatIgnored("ignored", unmanaged),
    ...formatIgnored("not compared", uncompared),
  ];
}

/** One line for each resource and reason, however many fields differ. */
function formatIgnored(heading: string, items: readonly IgnoredDifference[]): Line[] {
  return [...groupBy(items, (item) => `${resourceName(item)}\n${item.reason}`)].map(([key, alike]) => {
    const [name, reason] = key.split("\n");
    const fields = alike
      .filter(({ action }) => action === "change")
      .flatMap(({ kind, fields }) => fields.map((field) => fieldName(kind, field)));
    return { kind: "note", text: `  ${heading}: ${[name, ...fields].join(", ")} (${reason})` };
  });
}

/** The same as Markdown: a heading for each resource, texts as diff blocks. */
export function formatMarkdown(
  comparison: Comparison,
  title: string,
  note?: NonNullable<FormatOptions["note"]>,
): string {
  const parts = [`### ${title}`, ""];
  if (comparison.changes.length === 0) parts.push("No differences.", "");
  for (const change of comparison.changes) {
    const [head, ...lines] = formatChange(change, { context: 3, ...(note && { note }) });
    parts.push(`**${escapeMarkdown(head!.text)}**`, "");
    if (lines.length > 0) {
      const body = lines.map((line) => ({ ...line, text: line.text.replace(/^ {4}/, "") }));
      const fence = "`".repeat(Math.max(3, 1 + longestRun(body.map((line) => line.text).join("\n"))));
      parts.push(`${fence}diff`, ...body.map(diffLine), fence, "");
    }
  }
  const ignored = formatSummary(comparison).slice(1);
  if (ignored.length > 0) {
    parts.push("<details><summary>Ignored</summary>", "");
    parts.push(...ignored.map((line) => `- ${escapeMarkdown(line.text.trim())}`), "", "</details>", "");
  }
  return parts.join("\n");
}

/** A diff block colours lines by the sign that they begin with. */
function diffLine(line: Line): string {
  const text = line.text.replace(/^ {4}(?=[+\- ] |. …)/, "");
  return line.kind === "change" ? `  ${text}` : text;
}

const longestRun = (text: string) => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
const escapeMarkdown = (text: string) => text.replace(/[\\`*_[\]<>~]/g, "\\$&");
