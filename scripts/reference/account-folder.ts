/** The rules of the linter. */
import { rules } from "../../account-folder/lint/lint";
import { mandatoryRules } from "../../account-folder/lint/rules/mandatory";
import { code, table } from "./markdown";

export function lintRules(): string {
  const all = [...new Map([...rules, ...mandatoryRules].map((rule) => [rule.name, rule])).values()];
  const rows = all.map(({ name, severity, description }) => [code(name), severity, description]);
  return table(["rule", "severity", "what it requires"], rows);
}
