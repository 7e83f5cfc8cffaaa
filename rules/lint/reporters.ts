/** Formats findings as text, JSON and SARIF. */
import pc from "picocolors";
import type { Finding, Severity } from "../../account-folder/finding";
import type { SourceFile } from "../../account-folder/placeholders/source-map";
import { artifactUri, displayPath, sarifLog } from "../../account-folder/sarif";
import { readingRules } from "../reading-rules";
import { lintRules } from "../registry";
import type { ConfiguredRule } from "../rule-configuration";
import { acceptWarning } from "./accept-warning";

/** Findings and the files that they point into. */
export interface Report {
  /** The folder's path, as the user wrote it. */
  root: string;
  findings: readonly Finding[];
  /** The files, by their path below the folder. */
  sources: ReadonlyMap<string, SourceFile>;
  /** Policies that findings may name. */
  policies?: readonly ConfiguredRule[];
}

export interface Counts {
  errors: number;
  warnings: number;
}

export function countFindings(findings: readonly Finding[]): Counts {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return { errors, warnings: findings.length - errors };
}

/** "1 error, 2 warnings" */
export function formatCounts({ errors, warnings }: Counts): string {
  const count = (n: number, word: string) => (n === 0 ? [] : [`${n} ${word}${n === 1 ? "" : "s"}`]);
  return [...count(errors, "error"), ...count(warnings, "warning")].join(", ") || "no findings";
}

/** Maximum columns of a source line: some HTML bodies are one long line. */
const WIDTH = 100;

/** Findings as text, with their source lines. */
export function formatFindings(report: Report, colours: ReturnType<typeof pc.createColors> = pc): string {
  const paint: Record<Severity, (text: string) => string> = { error: colours.red, warning: colours.yellow };
  const blocks = report.findings.map((finding) => {
    const { severity, rule, message, fix } = finding;
    const at = `${displayPath(report.root, finding.file)}:${finding.line}:${finding.column}`;
    return [
      `${colours.bold(at)}  ${paint[severity](severity)}  ${colours.dim(rule)}`,
      `  ${escapeControl(message)}`,
      ...frame(report.sources.get(finding.file), finding, colours, paint[severity]),
      `  ${colours.cyan("fix:")} ${escapeControl(fix)}`,
      "",
    ].join("\n");
  });
  const counts = countFindings(report.findings);
  const mark = counts.errors > 0 ? colours.red("✖") : counts.warnings > 0 ? colours.yellow("▲") : colours.green("✔");
  const accepting = acceptable(report);
  return `${[...blocks, `${mark} ${formatCounts(counts)}`, ...(accepting === undefined ? [] : [accepting])].join("\n")}\n`;
}

/** How to accept the warnings, those of one rule as an example. */
function acceptable({ findings, policies = [] }: Report): string | undefined {
  const enforced = new Set(policies.map(({ rule }) => rule.name));
  const names = new Set(lintRules.flatMap(({ name }) => (enforced.has(name) ? [] : name)));
  const example = findings.find(({ severity, rule }) => severity === "warning" && names.has(rule));
  if (example === undefined) return undefined;
  return `To accept a warning, ${acceptWarning(example)}`;
}

function frame(
  source: SourceFile | undefined,
  { line, column, endLine, endColumn }: Finding,
  colours: ReturnType<typeof pc.createColors>,
  paint: (text: string) => string,
): string[] {
  const text = source?.line(line);
  if (text === undefined || text === "") return [];
  const from = text.length <= WIDTH ? 0 : Math.max(0, Math.min(column - 1 - 30, text.length - WIDTH));
  const window = text.slice(from, from + WIDTH);
  const ellipsis = (omitted: number) => (omitted === 0 ? "" : colours.dim("…"));
  const end = endLine > line ? text.length : endColumn - 1;
  const length = Math.max(1, Math.min(end, from + WIDTH) - (column - 1));
  const gutter = String(line);
  const before = text.slice(from, column - 1).replace(/./gsu, (character) => (character.length > 1 ? "  " : " "));
  return [
    `  ${colours.dim(`${gutter} │`)} ${ellipsis(from)}${escapeControl(window)}${ellipsis(Math.max(0, text.length - from - WIDTH))}`,
    `  ${colours.dim(`${" ".repeat(gutter.length)} │`)} ${from > 0 ? " " : ""}${before}${paint("^".repeat(length))}`,
  ];
}

/** Replaces control characters and those that change the direction of text. */
function escapeControl(text: string): string {
  return text.replace(/[\t\u00a0]/g, " ").replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, "·");
}

/** Findings as JSON, with paths relative to the current directory. */
export function toJson({ root, findings }: Report) {
  return {
    findings: findings.map((finding) => ({ ...finding, file: displayPath(root, finding.file) })),
    ...countFindings(findings),
  };
}

/** Findings in SARIF, for code review. */
export function toSarif({ root, findings, policies = [] }: Report, version: string) {
  const enforced = policies.flatMap(({ rule, severity }) => (severity === "off" ? [] : { ...rule, severity }));
  const all = [...lintRules, ...readingRules, ...enforced];
  const byName = new Map(all.map((rule) => [rule.name, rule]));
  return sarifLog({
    tool: "esign lint",
    version,
    rules: [...byName.values()],
    results: findings.map(({ rule, severity, message, fix, file, line, column, endLine, endColumn }) => ({
      ruleId: rule,
      level: severity,
      message: { text: `${message}. Fix: ${fix}` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: artifactUri(root, file) },
            region: { startLine: line, startColumn: column, endLine, endColumn },
          },
        },
      ],
    })),
  });
}
