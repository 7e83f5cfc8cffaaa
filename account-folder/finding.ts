/** Findings: the problems that reading and linting a folder report. */
import type { SourceLocation } from "./placeholders/source-map";

/** `error`: the email or the deployment does not work, or the account breaks a policy. `warning`: some readers see the email broken. */
export type Severity = "error" | "warning";

/** One problem, with its location and how to fix it. */
export interface Finding extends SourceLocation {
  /** Name of the rule, such as `variable-typo`. */
  rule: string;
  severity: Severity;
  /** What is wrong: a clause without a full stop. */
  message: string;
  /** What to do about it: a clause without a full stop. */
  fix: string;
}

/** The rule that a file breaks in which a merge has left both sides. */
export const conflictRule = "merge-conflict";

/** Sorts findings by file and location, and removes duplicates, and what only follows from a merge conflict in the file. */
export function sortFindings(all: readonly Finding[]): Finding[] {
  const conflicted = new Set(all.flatMap(({ rule, file }) => (rule === conflictRule ? [file] : [])));
  const findings = all.filter(({ rule, file }) => rule === conflictRule || !conflicted.has(file));
  const key = (f: Finding) => `${f.file}\0${f.line}\0${f.column}\0${f.rule}\0${f.message}`;
  const unique = new Map(findings.map((finding) => [key(finding), finding]));
  return [...unique.values()].sort(
    (a, b) =>
      (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
      a.line - b.line ||
      a.column - b.column ||
      (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0),
  );
}
