/**
 * Finds the API's variables, names in braces, in subjects, plain texts and HTML. The braces of CSS and of scripts are not
 * variables.
 */
import { closest, distance } from "fastest-levenshtein";
import { brandingEmailVariables } from "../../sdk/known-values";
import { type Attribute, type HtmlToken, type TextRange, tokenizeHtml } from "./html-tokens";

export type TextKind = "text" | "html";

/** A name in braces. */
export interface Variable extends TextRange {
  /** As written between the braces. */
  name: string;
  /** In HTML: in visible text, in an attribute, or in a comment (such as Outlook's conditional ones) or style. */
  where: "text" | "attribute" | "hidden";
  /** The element's name and the attribute, for a variable in an attribute. */
  element?: string;
  attribute?: Attribute;
}

const known: ReadonlySet<string> = new Set(brandingEmailVariables);

/** Whether the API is known to fill in this name. */
export function isKnownVariable(name: string): boolean {
  return known.has(name);
}

/**
 * What looks like a variable: words in braces. Editors turn spaces into `&nbsp;`, people write underscores and capitals:
 * they match as well, so that they can be reported.
 */
const CANDIDATE = /\{((?:[\p{L}\p{N}_ \t.-]|\u00a0|&nbsp;|&#160;|&#xa0;){1,60})\}/giu;

/** All variables of a text, known or not, in order. */
export function scanVariables(text: string, kind: TextKind): Variable[] {
  return kind === "text" ? candidates(text, 0, "text") : variablesOfHtml(text, tokenizeHtml(text));
}

/** The variables of tokenized HTML. */
export function variablesOfHtml(html: string, tokens: readonly HtmlToken[]): Variable[] {
  const found: Variable[] = [];
  for (const token of tokens) {
    if (token.kind === "text") {
      const slice = html.slice(token.start, token.end);
      if (!token.within || token.within === "title") found.push(...candidates(slice, token.start, "text"));
      else found.push(...candidates(slice, token.start, "hidden").filter((variable) => known.has(variable.name)));
    } else if (token.kind === "comment") {
      const slice = html.slice(token.start, token.end);
      found.push(...candidates(slice, token.start, "hidden").filter((variable) => known.has(variable.name)));
    } else if (token.kind === "start") {
      // Scans the whole tag: in href={contract url}, without quotes, the variable is longer than the attribute's value.
      for (const variable of candidates(html.slice(token.start, token.end), token.start, "attribute")) {
        const attribute = token.attributes.find(
          ({ valueAt }) => valueAt.start <= variable.start && variable.start < Math.max(valueAt.end, valueAt.start + 1),
        );
        if (attribute?.name === "style" && !known.has(variable.name)) continue;
        found.push({ ...variable, element: token.name, ...(attribute && { attribute }) });
      }
    }
  }
  return found;
}

/** The known variables that a text contains anywhere, as the API checks them. */
export function variableNames(text: string): Set<string> {
  return new Set(brandingEmailVariables.filter((name) => text.includes(`{${name}}`)));
}

/** The known name that was probably meant. */
export function nearVariable(name: string): string | undefined {
  const plain = normalise(name);
  if (plain === "") return undefined;
  const near = closest(plain, [...brandingEmailVariables]);
  // A quarter of the letters may be wrong: "contrct url" is a typo, "first name" is not.
  return distance(plain, near) <= Math.max(1, Math.floor(near.length / 4)) ? near : squeezed(plain);
}

/** The name with the same letters, ignoring spaces: `ContractUrl`. */
function squeezed(plain: string): string | undefined {
  const letters = plain.replaceAll(" ", "");
  return brandingEmailVariables.find((known) => known.replaceAll(" ", "") === letters);
}

const normalise = (name: string) =>
  name
    .replace(/&nbsp;|&#160;|&#xa0;|\u00a0|[\t_.-]/gi, " ")
    .replace(/ +/g, " ")
    .trim()
    .toLowerCase();

function candidates(text: string, offset: number, where: Variable["where"]): Variable[] {
  const found: Variable[] = [];
  for (const match of text.matchAll(CANDIDATE)) {
    const name = match[1]!;
    // Numbers and blanks are not names: "{1}", "{ }".
    if (!/\p{L}/u.test(name)) continue;
    const start = offset + match.index;
    found.push({ name, where, start, end: start + match[0].length });
  }
  return found;
}
