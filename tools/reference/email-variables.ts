/** The variables of email templates, and which type needs which. */
import {
  brandingEmailVariables,
  type Edition,
  editions,
  emailTypesOf,
  emailVariablesOf,
  neededVariables,
  variableMeanings,
} from "../../sdk";
import { code, table } from "./markdown";

const editionsWith = <T>(of: (edition: Edition) => readonly T[], value: T): string => {
  const having = editions.filter((edition) => of(edition).includes(value));
  return having.length === editions.length ? "both" : having.map(code).join(", ");
};

export function emailVariables(): string {
  const rows = brandingEmailVariables.map((name) => [
    code(`{${name}}`),
    editionsWith(emailVariablesOf, name),
    `${variableMeanings[name]}.`.replace(/^./, (letter) => letter.toUpperCase()),
  ]);
  return table(["variable", "edition", "what it becomes"], rows);
}

export function neededByType(): string {
  const rows = emailTypesOf("current").map((type) => {
    const of = (wanted: string) =>
      neededVariables(type)
        .filter(({ severity }) => severity === wanted)
        .map(({ anyOf }) => anyOf.map((name) => code(`{${name}}`)).join(" or "))
        .join(", ");
    return [code(type), editionsWith(emailTypesOf, type), of("error"), of("warning")];
  });
  return table(["type", "edition", "required", "advised"], rows);
}
