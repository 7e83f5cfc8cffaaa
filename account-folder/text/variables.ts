/**
 * Finds the API's variables, names in braces, in subjects, plain texts and HTML. The braces of CSS and of scripts are not
 * variables.
 */
import { closest, distance } from "fastest-levenshtein";
import { brandingEmailVariables } from "../../sdk/email-variables";
import { browserUrl, isAddressAttribute } from "./html/addresses";
import { DecodedText, decodeReferences } from "./html/decoded-text";
import type { Attribute, HtmlToken, StartTag, TextRange } from "./html/parse";
import type { TextPiece } from "./html/visibility";
import { INVISIBLE } from "./invisible";

/** A name in braces. */
export interface Variable extends TextRange {
  /** As written between the braces; without what splits it. */
  name: string;
  /** What splits the name, so that the API does not recognize it: "a line break". */
  flaw?: string;
  /** In text, in an attribute, or in a comment, style or script. */
  where: "text" | "attribute" | "hidden";
  /** Whether readers see it, or the link that it is. */
  isShown: boolean;
  /** The element's name and the attribute, for a variable in an attribute. */
  element?: string;
  attribute?: Attribute;
}

const variables: ReadonlySet<string> = new Set(brandingEmailVariables);

/** Whether the API is known to fill in this name. */
export function isKnownVariable(name: string): boolean {
  return variables.has(name);
}

const NAME = "\\p{L}\\p{N}_ \\t.\\-";
/** What looks like a variable: words in braces. People write underscores and capitals: they match, too, so that they are reported. */
const CANDIDATE = new RegExp(`\\{([${NAME}]{1,60})\\}`, "gu");
/** The same with what editors and builders of HTML put between, such as `&nbsp;` for a space. */
const SPLIT_CANDIDATE = new RegExp(`\\{([${NAME}\\r\\n\\p{Zs}${INVISIBLE}]{1,80})\\}`, "gu");

/** All variables of a subject or plain text, in order: names, also unknown ones; and what was most likely one. */
export const variablesOfText = (text: string): Variable[] =>
  variablesOfPieces(text, [{ text: decodeReferences(text), start: 0, end: text.length, isShown: true }]);

/** HTML as one kind of mail client reads it. */
interface ReadHtml {
  tokens: readonly HtmlToken[];
  texts: readonly TextPiece[];
  shownTags: ReadonlySet<number>;
  /** Outlook follows links of VML's shapes, too. */
  isOutlook?: boolean;
}

/** The variables of HTML as one kind of mail client reads it. */
export function variablesOfHtml(html: string, { tokens, texts, shownTags, isOutlook = false }: ReadHtml): Variable[] {
  const found: Variable[] = [];
  const hidden = ({ start, end }: TextRange) =>
    found.push(...candidates(html.slice(start, end), start, "hidden").filter(({ name }) => variables.has(name)));
  for (const token of tokens) {
    if (token.kind === "comment") hidden(token);
    else if (token.kind === "text" && (token.within === "style" || token.within === "script")) hidden(token);
    else if (token.kind === "start") {
      const isLink = token.name === "a" || token.name === "area" || (isOutlook && token.name.startsWith("v:"));
      found.push(...variablesOfTag(html, token, isLink && shownTags.has(token.start)));
    }
  }
  const inPage = texts.filter(({ within }) => within !== "style" && within !== "script");
  return [...found, ...variablesOfPieces(html, inPage)].sort((a, b) => a.start - b.start);
}

/** Those in the text, also where tags, comments or entities split them. */
function variablesOfPieces(html: string, pieces: readonly TextPiece[]): Variable[] {
  const decoded = new DecodedText(html, pieces);
  const found: Variable[] = [];
  const places = new Set<number>();
  const add = (name: string, flaw: string | undefined, at: { from: number; range: TextRange }) => {
    if (places.has(at.range.start)) return;
    places.add(at.range.start);
    const { isShown, within } = decoded.pieceAt(at.from);
    found.push({
      ...{ name, where: "text", isShown: isShown && within === undefined, ...at.range },
      ...(flaw !== undefined && { flaw }),
    });
  };
  for (const match of decoded.text.matchAll(SPLIT_CANDIDATE)) {
    const range = decoded.place(match.index, match.index + match[0].length);
    const written = html.slice(range.start, range.end);
    const name = match[1]!;
    if (!/\p{L}/u.test(name)) continue;
    const flaw = flawOf(written, name);
    const plain = flaw === undefined ? name : withoutFlaws(name);
    // What is far apart is a variable only if it has the name of one.
    if (/tag|line break|comment/.test(flaw ?? "") && !variables.has(plain) && nearVariable(plain) === undefined)
      continue;
    add(plain, flaw, { from: match.index, range });
  }
  return found;
}

/** What is between the letters of a name that the API does not expect. */
function flawOf(written: string, name: string): string | undefined {
  if (/[\r\n]/.test(name)) return "a line break";
  if (/<!--/.test(written)) return "a comment";
  if (/</.test(written)) return "a tag";
  if (/\u00a0|&nbsp;|&#160;|&#xa0;/i.test(name)) return "a non-breaking space";
  if (new RegExp(`[${INVISIBLE}]`, "u").test(name)) return "an invisible character";
  return written === `{${name}}` ? undefined : "an entity";
}

const withoutFlaws = (name: string): string =>
  name
    .replace(new RegExp(`[${INVISIBLE}]+`, "gu"), "")
    .replace(/[\s\u00a0]+/g, " ")
    .trim();

/** Those of a tag: exactly as the API expects them, or with entities, line breaks or percent-encoding between. */
function* variablesOfTag(html: string, tag: StartTag, isShownLink: boolean): Iterable<Variable> {
  // `#{contract url}` and `mailto:{contract url}` lead elsewhere.
  const isShownIn = (attribute: Attribute | undefined) =>
    isShownLink && attribute?.name === "href" && /^(?:https?:|\{(?!\{))/i.test(browserUrl(attribute.value));
  const exact = new Set<string>();
  // Scans the whole tag: in href={contract url}, without quotes, the variable is longer than the attribute's value.
  for (const variable of candidates(html.slice(tag.start, tag.end), tag.start, "attribute")) {
    const attribute = tag.attributes.find(
      ({ valueAt }) => valueAt.start <= variable.start && variable.start < Math.max(valueAt.end, valueAt.start + 1),
    );
    if (attribute?.name === "style" && !variables.has(variable.name)) continue;
    exact.add(`${attribute?.name} ${withoutFlaws(variable.name)}`);
    yield { ...variable, isShown: isShownIn(attribute), element: tag.name, ...(attribute && { attribute }) };
  }
  for (const attribute of tag.attributes) {
    const { name, value, valueAt } = attribute;
    if (name === "style" || !/\{|%7b/i.test(value)) continue;
    const text = isAddressAttribute(name) ? value.replace(/%(7b|7d|20|0a|c2%a0)/gi, decodePercent) : value;
    for (const [written, inner] of text.matchAll(SPLIT_CANDIDATE)) {
      const plain = withoutFlaws(inner!);
      if (exact.has(`${name} ${plain}`) || (!variables.has(plain) && nearVariable(plain) === undefined)) continue;
      const flaw = value.includes(written)
        ? (flawOf(html.slice(valueAt.start, valueAt.end), inner!) ?? "an entity")
        : "percent-encoding";
      yield { name: plain, flaw, where: "attribute", isShown: false, element: tag.name, attribute, ...valueAt };
    }
  }
}

function decodePercent(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/** The known variables that a text contains anywhere, as the API checks them. */
export function variableNames(text: string): Set<string> {
  return new Set(brandingEmailVariables.filter((name) => text.includes(`{${name}}`)));
}

/** The known name that was probably meant. */
export function nearVariable(name: string): string | undefined {
  const plain = normalizeVariable(name);
  if (plain === "") return undefined;
  const near = closest(plain, [...brandingEmailVariables]);
  // A few letters may be wrong: "contrct url" is a typo, "contract id" is not.
  return distance(plain, near) <= Math.max(1, Math.floor(near.length / 5)) ? near : squeezed(plain);
}

/** The name with the same letters, ignoring spaces: `ContractUrl`. */
function squeezed(plain: string): string | undefined {
  const letters = plain.replaceAll(" ", "");
  return brandingEmailVariables.find((variable) => variable.replaceAll(" ", "") === letters);
}

const normalizeVariable = (name: string) =>
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
    found.push({ name, where, isShown: false, start, end: start + match[0].length });
  }
  return found;
}
