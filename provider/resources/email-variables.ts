/** The rules for variables in email templates that can be checked offline: the API rejects a name that it does not know. */
import { HtmlBody } from "../../account-folder/text/html/body";
import { isKnownVariable, nearVariable, variableNames, variablesOfText } from "../../account-folder/text/variables";
import { brandingEmailVariables } from "../../sdk/known-values";
import type { Issue } from "../core/resource-definition";
import { allowUnknownHint } from "../session/settings";

/** Unknown variables of one value, each with its place. The value itself is never shown: it may be secret. */
export function variableIssues(field: string, text: string): Issue[] {
  const variables = field === "content" ? new HtmlBody(text).variables : variablesOfText(text);
  return variables
    .filter(({ name, flaw }) => flaw !== undefined || !isKnownVariable(name))
    .map(({ name, flaw, start }) => {
      if (flaw !== undefined) return { field, message: `${placeOf(text, start)}: a variable contains ${flaw}` };
      const meant = nearVariable(name);
      const help =
        meant === undefined
          ? `known: ${brandingEmailVariables.map((known) => `{${known}}`).join(", ")}; ${allowUnknownHint}`
          : `did you mean \`{${meant}}\`?`;
      return { field, message: `${placeOf(text, start)}: unknown variable; ${help}` };
    });
}

/** The variables that one value has and another is missing. */
export function missingVariables(before: string, after: string): string[] {
  const kept = variableNames(after);
  return [...variableNames(before)].filter((name) => !kept.has(name));
}

/** Line and column, counted from 1, as editors show them. */
function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}
