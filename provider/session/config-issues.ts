/** What is wrong with settings: values that cannot be used, and names that are misspelt. */
import { UNKNOWN } from "../core/pulumi-values";
import { type ConfigIssue, type Configuration, rawConfig, resolveConfig } from "./provider-config";
import { misspeltVariables } from "./unknown-settings";

/** The issues of settings that are set. A missing one is not reported: the program may pass it. */
export function malformedConfig(configuration?: Configuration, environment?: NodeJS.ProcessEnv): ConfigIssue[] {
  const raw = rawConfig(configuration, environment);
  const { issues = [] } = resolveConfig(configuration, environment);
  return issues.filter(({ name }) => raw[name] !== undefined && raw[name] !== UNKNOWN);
}

/** All issues in one line; undefined if there are none. A value that is not known yet has no issue. */
export function configIssue(
  configuration?: Configuration,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const raw = rawConfig(configuration, environment);
  const { issues = [] } = resolveConfig(configuration, environment);
  const wrong = issues.filter(({ name }) => raw[name] !== UNKNOWN);
  const parts = [...(wrong.length > 0 ? [describeIssues(wrong)] : []), ...misspeltVariables(environment)];
  return parts.length === 0 ? undefined : parts.join("; ");
}

/** All issues in one line. */
export function describeIssues(issues: readonly ConfigIssue[]): string {
  return issues.map(({ name, message }) => `esign:${name} ${message}`).join("; ");
}
