/** The rules for variables in e-mails that a check knows offline (§2.2): a name that the service does not fill in is refused. */
import { isKnownVariable, nearVariable, scanVariables, variableNames } from "../../account-folder/text/variables";
import { brandingEmailVariables } from "../../sdk/api/branding";
import type { Issue } from "../core/resource-definition";
import { allowUnknownHint } from "../session/settings";

/** Unknown and misspelt variables of one text, each with its place. The text itself is never shown: it may be secret. */
export function variableIssues(field: string, text: string): Issue[] {
  const kind = field === "content" ? "html" : "text";
  return scanVariables(text, kind)
    .filter(({ name }) => !isKnownVariable(name))
    .map(({ name, start }) => {
      const meant = nearVariable(name);
      const help =
        meant === undefined
          ? `the service fills in ${brandingEmailVariables.map((known) => `{${known}}`).join(", ")}; ${allowUnknownHint}`
          : `did you mean \`{${meant}}\`?`;
      return { field, message: `${placeOf(text, start)}: a variable that the service does not know; ${help}` };
    });
}

/** The variables that a text has and another lacks. */
export function missingVariables(before: string, after: string): string[] {
  const kept = variableNames(after);
  return [...variableNames(before)].filter((name) => !kept.has(name));
}

/** Line and column, counted from 1, as editors show them. */
function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}
