/** The rules for variables in email templates: what is wrong offline, and what an update takes from the account's text. */

import { HtmlBody } from "../../account-folder/text/html/body";
import { HtmlLimitError } from "../../account-folder/text/html/limits";
import { type Lookalike, lookalikesOfText, outside } from "../../account-folder/text/variable-lookalikes";
import {
  isKnownVariable,
  nearVariable,
  type Variable,
  variableNames,
  variablesOfText,
} from "../../account-folder/text/variables";
import { groupBy } from "../../definitions/group-by";
import { unmetNeeds } from "../../sdk/email-variables";
import { Failure } from "../core/failure";
import { UNKNOWN } from "../core/pulumi-values";
import type { Fields, Issue } from "../core/resource-definition";

/** The bodies, which must keep variables; the subject need not. */
const bodies = { content: "the HTML body", contentPlain: "the plain text" } as const;

const acceptHint = "esign:allowUnknownValues accepts it as it is";

const inBraces = (names: readonly string[], conjunction = ", ") => names.map((name) => `{${name}}`).join(conjunction);

/** What a text has in braces. */
interface InBraces {
  variables: readonly Variable[];
  lookalikes: readonly Lookalike[];
}

/** Of the last texts: many subaccounts have the same, and each is checked several times. */
const recent = new Map<string, InBraces>();
const MAX_RECENT = 100;

function readBraces(field: string, text: string): InBraces {
  const key = `${field === "content"} ${text}`;
  const found = recent.get(key) ?? (field === "content" ? inHtml(text) : inText(text));
  if (recent.size >= MAX_RECENT) recent.clear();
  recent.set(key, found);
  return found;
}

const inHtml = (text: string): InBraces => withoutParts(new HtmlBody(text));

function inText(text: string): InBraces {
  const variables = variablesOfText(text);
  return withoutParts({ variables, lookalikes: lookalikesOfText(text, variables) });
}

const withoutParts = ({ variables, lookalikes }: InBraces): InBraces => ({
  variables: variables.filter(outside(lookalikes)),
  lookalikes,
});

/** Misspelt variables of one value, each with its place. Unknown ones are for the API to accept. The value itself is never shown: it may be secret. */
export function variableIssues(field: string, text: string): Issue[] {
  try {
    return misspelt(field, text);
  } catch (error) {
    if (error instanceof HtmlLimitError) return [{ field, message: `cannot be read: ${error.message}` }];
    throw error;
  }
}

function misspelt(field: string, text: string): Issue[] {
  const { variables, lookalikes } = readBraces(field, text);
  const others = lookalikes.flatMap(({ near, flaw, start }): Issue[] => {
    const message = `${placeOf(text, start)}: not a variable that the API replaces: ${flaw}; did you mean \`{${near}}\`?`;
    return near === undefined ? [] : [{ field, message }];
  });
  const misspelt = variables.flatMap(({ name, flaw, start }): Issue[] => {
    const meant = isKnownVariable(name) ? name : nearVariable(name);
    if (meant === undefined || (flaw === undefined && meant === name)) return [];
    const problem = flaw === undefined ? "unknown variable" : `a variable contains ${flaw}`;
    return [{ field, message: `${placeOf(text, start)}: ${problem}; did you mean \`{${meant}}\`?` }];
  });
  return [...others, ...misspelt];
}

/** The variables that the current edition requires, and a body does not have. */
export function needIssues(type: string, field: string, text: string): Issue[] {
  if (!(field in bodies)) return [];
  return unmetNeeds(type, variableNames(text))
    .filter(({ severity }) => severity === "error")
    .map(({ anyOf }) => ({
      field,
      message: `line 1: ${inBraces(anyOf)} is missing, which the API requires in ${type}; add it (${acceptHint})`,
    }));
}

/** Refuses to take a variable from an account's text without which the type is of no use, and which the API requires. */
export function assertKeepsVariables(type: string, declared: Fields, live: Fields): void {
  const lost = lossesOf(type, declared, live).filter(({ isRequired }) => isRequired);
  if (lost.length === 0) return;
  const facts = lost.map(
    ({ field, name, line }) => `${field} is missing {${name}} (line ${line} of the account's text)`,
  );
  throw new Failure(
    "ESIGN1025",
    `${facts.join("; ")}. The API refuses a text of ${type} without it. Add it; ${acceptHint}`,
  );
}

/** What the reader of a plan needs to know of a new text: shown while the text is new, never again for the same text. */
export function warningsOn(type: string, declared: Fields, live: Fields): string | undefined {
  const lost = [...groupBy(lossesOf(type, declared, live), ({ field }) => field)].map(([field, losses]) => {
    const lines = losses.map(({ line }) => line).join(", ");
    const names = inBraces(losses.map(({ name }) => name));
    return `${field} loses ${names} (line${losses.length === 1 ? "" : "s"} ${lines} of the account's text)`;
  });
  const unmet = fieldsWithText(declared).flatMap(([field, text]) =>
    field in bodies
      ? unmetNeeds(type, variableNames(text))
          .filter(({ anyOf }) => !anyOf.some((name) => variableNames(live[field] ?? "").has(name)))
          .map(({ anyOf }) => `${field} has no ${inBraces(anyOf, " or ")}, which ${type} needs`)
      : [],
  );
  const unknown = fieldsWithText(declared).flatMap(([field, text]) =>
    variableIssues(field, text).length > 0 ? [] : unknownIn(field, text, live[field] ?? ""),
  );
  const warnings = [...new Set([...lost, ...unmet, ...unknown])];
  if (warnings.length === 0) return undefined;
  return `${warnings.join("; ")}: the API may refuse it (\`up\` accepts the text: this is said once)`;
}

/** What this version does not know as a variable, and not in the account's text either. */
function unknownIn(field: string, text: string, live: string): string[] {
  const { variables, lookalikes } = readBraces(field, text);
  const names = variables.filter(({ name }) => !isKnownVariable(name) && !live.includes(`{${name}}`));
  return [
    ...names.map(({ name }) => `this version does not know {${name}}`),
    ...lookalikes
      .filter(({ written }) => !live.includes(written))
      .map(({ start, flaw }) => `${field} has ${flaw} (${placeOf(text, start)})`),
  ];
}

function lossesOf(type: string, declared: Fields, live: Fields) {
  return fieldsWithText(declared).flatMap(([field, text]) => {
    const before = live[field] ?? "";
    const required = new Set(
      unmetNeeds(type, variableNames(text)).flatMap(({ anyOf, severity }) => (severity === "error" ? anyOf : [])),
    );
    return lostVariables(before, text)
      .filter((name) => field in bodies && name.length > 0)
      .map((name) => ({
        field,
        name,
        line: lineOf(before, before.indexOf(`{${name}}`)),
        isRequired: required.has(name as never),
      }));
  });
}

/** Without those that are empty, or not known yet. */
const fieldsWithText = (fields: Fields): [string, string][] =>
  Object.entries(fields).filter((entry): entry is [string, string] => ![undefined, "", UNKNOWN].includes(entry[1]));

/** The variables that one value has and another is missing. */
export function lostVariables(before: string, after: string): string[] {
  const present = variableNames(after);
  return [...variableNames(before)].filter((name) => !present.has(name));
}

const lineOf = (text: string, offset: number): number => text.slice(0, Math.max(0, offset)).split(/\r\n|\r|\n/).length;

/** Line and column, counted from 1, as editors show them. */
function placeOf(text: string, offset: number): string {
  const line = text
    .slice(0, offset)
    .split(/\r\n|\r|\n/)
    .at(-1)!;
  return `line ${lineOf(text, offset)}, column ${line.length + 1}`;
}
