/** The rules of the linter. */
import { readingRules } from "../../rules/reading-rules";
import { lintRules as rules } from "../../rules/registry";
import { code, table } from "./markdown";

export function lintRules(): string {
  const all = [...new Map([...rules, ...readingRules].map((rule) => [rule.name, rule])).values()];
  const rows = all.map(({ name, severity, description }) => [code(name), severity, description]);
  return table(["rule", "severity", "what it requires"], rows);
}
