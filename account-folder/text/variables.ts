/**
 * The one scanner for the service's variables (§2.2): names between curly brackets, in subjects, plain texts and HTML.
 * The brackets of CSS and of scripts are not mistaken for variables.
 */
import { closest, distance } from "fastest-levenshtein";
import { brandingEmailVariables } from "../../sdk/api/branding";
import { type Attribute, type HtmlToken, type TextRange, tokenizeHtml } from "./html-tokens";

/** What a text is. */
export type TextKind = "text" | "html";

/** A name between curly brackets, as a text has it. */
export interface Variable extends TextRange {
  /** As it is written between the brackets. */
  name: string;
  /** In HTML: in the text for readers, in an attribute, or in a comment (such as Outlook's conditional ones) or style. */
  where: "text" | "attribute" | "hidden";
  /** The element's name and the attribute, when it is in one. */
  element?: string;
  attribute?: Attribute;
}

const known: ReadonlySet<string> = new Set(brandingEmailVariables);

/** Whether the service is known to fill this name in. */
export function isKnownVariable(name: string): boolean {
  return known.has(name);
}

/**
 * What looks like a variable: words between brackets. Editors turn spaces into `&nbsp;`, people write underscores and
 * capitals: all of these count, so that they can be told that the service will not know them.
 */
const CANDIDATE = /\{((?:[\p{L}\p{N}_ \t.-]|\u00a0|&nbsp;|&#160;|&#xa0;){1,60})\}/giu;

/** All variables of a text, known or not, in their order. */
export function scanVariables(text: string, kind: TextKind): Variable[] {
  return kind === "text" ? candidates(text, 0, "text") : variablesOfHtml(text, tokenizeHtml(text));
}

/** The same for HTML that is already split into tokens. */
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
      // The whole tag is looked at: in href={contract url}, without quotes, the variable is more than the attribute's value.
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

/** The names of the known variables that a text has, wherever they stand: what the service looks for (§2.2, §7 rule 7). */
export function variableNames(text: string): Set<string> {
  return new Set(brandingEmailVariables.filter((name) => text.includes(`{${name}}`)));
}

/** The known name that somebody probably meant, if any is near. */
export function nearVariable(name: string): string | undefined {
  const plain = normalise(name);
  if (plain === "") return undefined;
  const near = closest(plain, [...brandingEmailVariables]);
  // A quarter of the letters may be wrong: "contrct url" is near, "first name" is not.
  return distance(plain, near) <= Math.max(1, Math.floor(near.length / 4)) ? near : squeezed(plain);
}

/** The name that has the same letters, spaces or not: `ContractUrl`. */
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
    // Numbers and blanks between brackets are no names: "{1}", "{ }".
    if (!/\p{L}/u.test(name)) continue;
    const start = offset + match.index;
    found.push({ name, where, start, end: start + match[0].length });
  }
  return found;
}
