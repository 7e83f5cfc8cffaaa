import type { Finding } from "../../account-folder/finding";

/** Findings of one rule in one file that are listed; the rest are counted. */
export const MOST_FINDINGS = 50;

/** The first findings in each file, and the number of the others. */
export function limitFindings(findings: readonly Finding[]): Finding[] {
  const first: Finding[] = [];
  const counts = new Map<string, number>();
  const rest = new Map<string, { finding: Finding; count: number }>();
  for (const finding of findings) {
    const count = (counts.get(finding.file) ?? 0) + 1;
    counts.set(finding.file, count);
    if (count <= MOST_FINDINGS) first.push(finding);
    else rest.set(finding.file, { finding: rest.get(finding.file)?.finding ?? finding, count: count - MOST_FINDINGS });
  }
  const counted = [...rest.values()].map(({ finding, count }) => ({
    ...finding,
    message: `${count} more of this rule in this file, from here on`,
  }));
  return [...first, ...counted];
}
