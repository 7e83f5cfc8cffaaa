/** Names that are almost those of settings: in the environment, and in a stack's configuration. */
import { closeMatch } from "../../sdk/text/did-you-mean";
import { configNames, environmentName, variablePrefix } from "./provider-config";

/**
 * Environment variables whose name is almost that of a setting. `ESIGN_QA_API_KEY` is not a typo: it is a setting of the account "qa".
 */
export function misspeltVariables(environment: NodeJS.ProcessEnv): string[] {
  const names = configNames.map((name) => environmentName(name).slice(variablePrefix.length).toLowerCase());
  return Object.keys(environment)
    .filter((variable) => variable.startsWith(variablePrefix))
    .flatMap((variable) => {
      const word = variable.slice(variablePrefix.length).toLowerCase();
      if (names.some((name) => word.startsWith(name) || word.endsWith(`_${name}`))) return [];
      const near = closeMatch(word, names);
      return near === undefined
        ? []
        : [`${variable} is not a setting, did you mean ${variablePrefix}${near.toUpperCase()}?`];
    });
}

/**
 * What is wrong with the names in a stack's configuration; undefined if nothing is. In a project named `esign`, `esign:` is also the
 * namespace of the project's own configuration.
 */
export function unknownConfigIssue(keys: readonly string[], project: string): string | undefined {
  const unknown = keys
    .filter((key) => key.startsWith("esign:"))
    .map((key) => key.slice("esign:".length))
    .filter((name) => !(configNames as string[]).includes(name))
    .map((name) => ({ name, near: closeMatch(name, configNames) }))
    .filter(({ near }) => near !== undefined || project !== "esign");
  if (unknown.length === 0) return undefined;
  return unknown
    .map(({ name, near }) => {
      const hint = near === undefined ? ` (settings: ${configNames.join(", ")})` : `, did you mean esign:${near}?`;
      return `esign:${name} is not a setting${hint}`;
    })
    .join("; ");
}
