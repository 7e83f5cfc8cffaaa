/** Says a comparison in words: lines for people, grouped by resource, and the same as Markdown for a pull request. */
import { structuredPatch } from "diff";
import { groupBy } from "../text/group-by";
import type { Comparison, FieldChange, IgnoredDifference, ResourceChange } from "./comparison";

/** A line and what it is, so that a terminal can colour it. */
export interface Line {
  kind: "heading" | "add" | "remove" | "change" | "context" | "note";
  text: string;
}

/** The names of fields and resources that people read. */
const FIELDS: Record<string, string> = {
  name: "name",
  email: "e-mail address",
  logoUrl: "logo",
  colour: "colour",
  subject: "subject",
  content: "HTML body",
  contentPlain: "plain-text body",
  type: "event",
  url: "address",
};

/** `e-mail email-send of sub account Acme`, in one line whatever the name: a line of a log may be a command to who reads it. */
export function resourceName(change: Pick<ResourceChange, "kind" | "name" | "company">): string {
  const name = toOneLine(change.name ?? "");
  const own = {
    Branding: () => "branding",
    BrandingEmail: () => `e-mail ${name}`,
    Webhook: () => `webhook ${redactUrl(name)}`,
    Company: () => `sub account ${name}`,
  }[change.kind]();
  return change.company === undefined ? own : `${own} of sub account ${toOneLine(change.company)}`;
}

/** A text in one line. */
export const toOneLine = (text: string) => text.replace(/[\r\n\u2028\u2029]+/g, " ");

/** The differences as lines, the values left out as notes at the end. */
export function formatComparison(comparison: Comparison, options: { context?: number } = {}): Line[] {
  const lines = comparison.changes.flatMap((change) => describeChange(change, options.context ?? 2));
  return [...lines, ...summary(comparison)];
}

function describeChange(change: ResourceChange, context: number): Line[] {
  const name = resourceName(change);
  if (change.action !== "change") {
    const sign = change.action === "add" ? "+" : "-";
    const kind = change.action === "add" ? "add" : "remove";
    const more = change.kind === "Company" ? change.fields.filter((field) => field.field !== "name") : [];
    return [
      { kind, text: `${sign} ${name}` },
      ...more.map((field): Line => ({ kind, text: `    ${fieldName(field)}: ${quoted(field.after ?? field.before)}` })),
    ];
  }
  return [{ kind: "heading", text: `~ ${name}` }, ...change.fields.flatMap((field) => describeField(field, context))];
}

const fieldName = (field: FieldChange) => FIELDS[field.field] ?? field.field;

function describeField(field: FieldChange, context: number): Line[] {
  const { before, after } = field;
  const label = `    ${fieldName(field)}`;
  if (before === undefined) return [{ kind: "add", text: `${label}: set to ${shown(after ?? "")}` }];
  if (after === undefined) return [{ kind: "remove", text: `${label}: no longer set, was ${shown(before)}` }];
  if (!isLong(before) && !isLong(after)) {
    return [{ kind: "change", text: `${label}: ${quoted(before)} → ${quoted(after)}` }];
  }
  const diff = textDiff(before, after, context);
  const count = (kind: Line["kind"]) => diff.filter((line) => line.kind === kind).length;
  return [
    {
      kind: "change",
      text: `${label}: ${plural(count("add"), "line")} added, ${plural(count("remove"), "line")} removed`,
    },
    ...diff.map((line) => ({ ...line, text: `        ${line.text}` })),
  ];
}

/** The changed lines with some around them. */
export function textDiff(before: string, after: string, context: number): Line[] {
  // Line ends are compared apart: a body with other line ends would else differ in every line.
  const patch = structuredPatch("", "", lineEnds(before), lineEnds(after), "", "", { context });
  return patch.hunks.flatMap((hunk, index) => [
    ...(index > 0 ? [{ kind: "context", text: "  …" } as Line] : []),
    ...hunk.lines.map((line): Line => {
      const kind = line.startsWith("+") ? "add" : line.startsWith("-") ? "remove" : "context";
      return { kind: line.startsWith("\\") ? "context" : kind, text: `${line[0]} ${shorten(line.slice(1))}` };
    }),
  ]);
}

const lineEnds = (text: string) => text.replace(/\r\n?/g, "\n");

const isLong = (text: string) => text.length > 100 || /[\r\n]/.test(text);
const shown = (text: string) =>
  isLong(text)
    ? `${plural(lineEnds(text).split("\n").length, "line")}, ${plural(text.length, "character")}`
    : quoted(text);
const quoted = (text = "") => `"${redactUrl(text)}"`;

/** A long line keeps its begin; the whole is in the files and in `--json`. */
const shorten = (line: string) => (line.length > 200 ? `${line.slice(0, 200)}… (${line.length} characters)` : line);

/** How many of something, in words. */
export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Output ends up in pull requests and logs: what signs a receiver's caller in must not. */
export function redactUrl(text: string): string {
  return text
    .replace(/(https?:\/\/)[^/\s@]+@/g, "$1…@")
    .replace(/([?&][^=&\s]*(?:token|key|secret|sig|signature|pass|password|auth|code)=)[^&\s#"]+/gi, "$1…");
}

function summary(comparison: Comparison): Line[] {
  const { changes, environment, unmanaged } = comparison;
  const text =
    changes.length === 0
      ? "No differences."
      : `${plural(changes.length, "resource")} differ${changes.length === 1 ? "s" : ""}.`;
  return [
    { kind: "heading", text },
    ...leftOut("belongs to its environment, left out", environment),
    ...leftOut("left out", unmanaged),
  ];
}

/** One line for a resource and a reason, however many fields it is about. */
function leftOut(what: string, items: readonly IgnoredDifference[]): Line[] {
  return [...groupBy(items, (item) => `${resourceName(item)}\n${item.reason}`)].map(([key, alike]) => {
    const [name, reason] = key.split("\n");
    const fields = alike.flatMap((item) => (item.action === "change" ? item.fields.map(fieldName) : []));
    return { kind: "note", text: `  ${what}: ${[name, ...fields].join(", ")} (${reason})` };
  });
}

/** The same for a pull request: a heading per resource, texts as diff blocks. */
export function formatMarkdown(comparison: Comparison, title: string): string {
  const parts = [`### ${title}`, ""];
  if (comparison.changes.length === 0) parts.push("No differences.", "");
  for (const change of comparison.changes) {
    const [head, ...lines] = describeChange(change, 3);
    parts.push(`**${escapeMarkdown(head!.text)}**`, "");
    if (lines.length > 0) {
      const body = lines.map((line) => ({ ...line, text: line.text.replace(/^ {4}/, "") }));
      const fence = "`".repeat(Math.max(3, 1 + longestRun(body.map((line) => line.text).join("\n"))));
      parts.push(`${fence}diff`, ...body.map(diffLine), fence, "");
    }
  }
  const rest = summary(comparison).slice(1);
  if (rest.length > 0) {
    parts.push("<details><summary>Left out</summary>", "");
    parts.push(...rest.map((line) => `- ${escapeMarkdown(line.text.trim())}`), "", "</details>", "");
  }
  return parts.join("\n");
}

/** A line of a text diff begins with its sign, which is what a diff block colours. */
function diffLine(line: Line): string {
  const text = line.text.replace(/^ {4}(?=[+\- ] |. …)/, "");
  return line.kind === "change" ? `  ${text}` : text;
}

const longestRun = (text: string) => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
const escapeMarkdown = (text: string) => text.replace(/[\\`*_[\]<>~]/g, "\\$&");
