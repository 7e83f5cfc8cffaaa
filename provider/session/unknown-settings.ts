/** Names that are almost those of settings: in the environment, and in a stack's configuration. */
import { closeMatch } from "../../sdk/text/did-you-mean";
import { environmentName, variablePrefix } from "../core/setting-names";
import { configNames } from "./provider-config";

/**
 * Environment variables whose name is almost that of a setting. `ESIGN_QA_API_KEY` is no typo: commands read it for the account "qa". Nor
 * is `ESIGN_API_KEY_QA`, which may be a program's own.
 */
export function misspeltVariables(environment: NodeJS.ProcessEnv): string[] {
  const names = configNames.map((name) => environmentName(name).slice(variablePrefix.length).toLowerCase());
  return Object.keys(environment)
    .filter((variable) => variable.startsWith(variablePrefix))
    .flatMap((variable) => {
      const word = variable.slice(variablePrefix.length).toLowerCase();
      if (names.some((name) => word === name || word.startsWith(`${name}_`) || word.endsWith(`_${name}`))) return [];
      const near = closeMatch(word, names);
      return near === undefined
        ? []
        : [`${variable} is not a setting, did you mean ${variablePrefix}${near.toUpperCase()}?`];
    });
}

/** What is said of a name that is not that of a setting. `prefix`: what is written before each name. */
export function notASetting(name: string, prefix = ""): string {
  const near = closeMatch(name, configNames);
  const hint = near === undefined ? ` (settings: ${configNames.join(", ")})` : `, did you mean ${prefix}${near}?`;
  return `${prefix}${name} is not a setting${hint}`;
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
    .filter((name) => project !== "esign" || closeMatch(name, configNames) !== undefined);
  return unknown.length === 0 ? undefined : unknown.map((name) => notASetting(name, "esign:")).join("; ");
}
