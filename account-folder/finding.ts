/** What a check of a folder or a text finds. */
import type { SourceLocation } from "./template/source-map";

/** `error`: the e-mail or the deployment breaks. `warning`: somebody will see it broken, or should look. */
export type Severity = "error" | "warning";

/** One thing that is wrong, where, and the way out. */
export interface Finding extends SourceLocation {
  /** Name of the rule, such as `misspelt-variable`. */
  rule: string;
  severity: Severity;
  /** What is wrong, one sentence without a full stop at the end. */
  message: string;
  /** What to do about it, likewise. */
  fix: string;
}

/** In the order of files and places; what is said twice of one place is said once. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
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
