/** The lines that a program shows for what is wrong in its folder. */
import { relative, resolve } from "node:path";
import type { Finding } from "../../account-folder/finding";
import { groupBy } from "../../definitions/group-by";
import { plural } from "../../definitions/text/display";
import { acceptWarning } from "../../rules/lint/accept-warning";

/** Loaded only by programs with a finding. */
const registry = (): typeof import("../../rules/registry/index") => require("../../rules/registry/index");

/** The folder, and where paths in messages begin. */
export interface Place {
  directory: string;
  root: string;
}

export function describeFinding({ directory, root }: Place, { file, line, column, message, fix }: Finding): string {
  return `${relative(directory, resolve(root, file))}:${line}:${column} ${message}; ${fix}`;
}

/**
 * One line for each rule and file, and one with the count of all that lint only warns of: the same come with each run, and
 * `esign lint` lists them.
 */
export function describeWarnings(place: Place, findings: readonly Finding[]): string[] {
  const names = new Set(findings.length === 0 ? [] : registry().lintRules.map(({ name }) => name));
  const isCounted = ({ rule, severity }: Finding) => severity === "warning" && names.has(rule);
  const groups = groupBy(
    findings.filter((finding) => !isCounted(finding)),
    ({ rule, file }) => `${rule}\0${file}`,
  );
  const lines = [...groups.values()].map(([first, ...others]) => {
    const { rule } = first!;
    const more = others.length === 0 ? "" : ` (and ${others.length} more in this file)`;
    const accept = names.has(rule) ? `. To accept it, ${acceptWarning(first!)}` : "";
    return `${describeFinding(place, first!)}${more}${accept}`;
  });
  const counted = findings.filter(isCounted);
  if (counted.length === 0) return lines;
  const rules = [...groupBy(counted, ({ rule }) => rule)].map(([rule, all]) => `${rule} ${all.length}`).join(", ");
  const command = `esign lint ${relative(place.directory, place.root) || "."}`;
  return [...lines, `${plural(counted.length, "warning")} of lint (${rules}). List them: ${command}`];
}
