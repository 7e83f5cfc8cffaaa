/** What emails need of CSS: the addresses that it loads, and the declarations of an element. */
import type { TextRange } from "./parse";

/** The package has types for `import` only. */
type Tokenizer = typeof import("@csstools/css-tokenizer", { with: { "resolution-mode": "import" }});
const { TokenType, tokenize }: Tokenizer = require("@csstools/css-tokenizer");
type CSSToken = ReturnType<Tokenizer["tokenize"]>[number];
type TokenType = CSSToken[0];

/** An address in CSS, with its escapes resolved. */
export interface CssAddress extends TextRange {
  url: string;
  /** Of a style sheet that is loaded. */
  isImport: boolean;
}

/** Functions whose strings are addresses. */
const ADDRESS_FUNCTIONS = new Set(["url", "src", "image", "image-set", "-webkit-image-set", "cross-fade"]);

/** The addresses that a style sheet or a style attribute loads, in order. */
export function cssAddresses(css: string): CssAddress[] {
  // A backslash can hide each letter of the names.
  if (!/[(\\]|@/.test(css)) return [];
  const found: CssAddress[] = [];
  /** The functions and blocks around a token. */
  const open: string[] = [];
  let isImport = false;
  // The address of a namespace is a name.
  let isNamespace = false;
  for (const token of tokenize({ css })) {
    const [type, written, from] = token;
    const add = (url: string) => {
      // Without the name of the function and quotes.
      const start = from + /^(?:[^"'(]*\(\s*)?["']?/.exec(written)![0].length;
      const end = from + written.replace(/["']?\s*\)?$/, "").length;
      found.push({ url, isImport, start, end: Math.max(start, end) });
    };
    if (type === TokenType.AtKeyword) {
      isImport = token[4].value.toLowerCase() === "import";
      isNamespace = token[4].value.toLowerCase() === "namespace";
    } else if (isNamespace) isNamespace = type !== TokenType.Semicolon;
    else if (type === TokenType.URL) add(token[4].value);
    else if (type === TokenType.BadURL) add(written.replace(/^[^(]*\(\s*["']?/, "").replace(/\)$/, ""));
    else if (type === TokenType.String) {
      if (ADDRESS_FUNCTIONS.has(open.at(-1) ?? "") || (isImport && open.length === 0)) add(token[4].value);
    } else if (type === TokenType.Function) open.push(token[4].value.toLowerCase());
    else if (OPENING.has(type)) open.push("");
    else if (CLOSING.has(type)) open.pop();
    if (isImport && type !== TokenType.AtKeyword && !KEEPS_IMPORT.has(type)) isImport = false;
  }
  return found;
}

const OPENING: ReadonlySet<TokenType> = new Set([TokenType.OpenParen, TokenType.OpenCurly, TokenType.OpenSquare]);
const CLOSING: ReadonlySet<TokenType> = new Set([TokenType.CloseParen, TokenType.CloseCurly, TokenType.CloseSquare]);
/** What may stand between `@import` and its address. */
const KEEPS_IMPORT: ReadonlySet<TokenType> = new Set([TokenType.Whitespace, TokenType.Comment, TokenType.Function]);

/** Properties by name in lower case: the value in lower case, and whether it is important. */
export type Declarations = Map<string, { value: string; isImportant: boolean }>;

/** The declarations of a style attribute, or of a rule. */
export const declarationsOf = (css: string): Declarations =>
  css === "" ? new Map() : readDeclarations(tokenize({ css }));

function readDeclarations(tokens: readonly CSSToken[]): Declarations {
  const found: Declarations = new Map();
  let [name, value, hasColon, depth] = ["", "", false, 0];
  const finish = () => {
    const isImportant = /!\s*important\s*$/.test(value);
    const text = value.replace(/!\s*important\s*$/, "").trim();
    if (name !== "" && hasColon && (isImportant || found.get(name)?.isImportant !== true))
      found.set(name, { value: text, isImportant });
    [name, value, hasColon] = ["", "", false];
  };
  for (const token of tokens) {
    const [type, written] = token;
    if (type === TokenType.Comment) continue;
    if (OPENING.has(type) || type === TokenType.Function) depth++;
    else if (CLOSING.has(type)) depth--;
    if (depth <= 0 && type === TokenType.Semicolon) finish();
    else if (!hasColon && type === TokenType.Colon) hasColon = true;
    else if (hasColon) value += (type === TokenType.Ident ? token[4].value : written).toLowerCase();
    else if (type === TokenType.Ident) name = token[4].value.toLowerCase();
  }
  finish();
  return found;
}

/**
 * The declarations that style sheets have for all screens, by selector: that of an element, a class, an id, or an element with
 * a class. Of other selectors it depends on the elements around, or on the screen: they are not read.
 */
export function simpleRules(css: string): Map<string, Declarations> {
  const rules = new Map<string, Declarations>();
  let [prelude, at]: [CSSToken[], string | undefined] = [[], undefined];
  const tokens = tokenize({ css });
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const [type] = token;
    if (type === TokenType.AtKeyword && prelude.every(isBlank)) at = token[4].value.toLowerCase();
    if (type === TokenType.OpenCurly) {
      if (at === "media" && isForScreens(prelude)) [prelude, at] = [[], undefined];
      else {
        const end = endOfBlock(tokens, i);
        if (at === undefined) addRule(rules, prelude, readDeclarations(tokens.slice(i + 1, end)));
        [i, prelude, at] = [end, [], undefined];
      }
    } else if (type === TokenType.Semicolon || type === TokenType.CloseCurly) [prelude, at] = [[], undefined];
    else prelude.push(token);
  }
  return rules;
}

/** True for `@media screen, print` and `not print`, whose rules are read like those outside of it; not for one that depends on the screen, or print alone. */
function isForScreens(query: readonly CSSToken[]): boolean {
  const words = query.flatMap((token) => (token[0] === TokenType.Ident ? token[4].value.toLowerCase() : []));
  if (query.some(([type]) => type === TokenType.OpenParen)) return false;
  const not = words.indexOf("not");
  if (not >= 0) return /^(?:print|speech)$/.test(words[not + 1] ?? "");
  return words.length === 0 || words.includes("screen") || words.includes("all");
}

const isBlank = ([type]: CSSToken) =>
  [TokenType.Whitespace, TokenType.Comment, TokenType.CDO, TokenType.CDC].includes(type);

function endOfBlock(tokens: readonly CSSToken[], from: number): number {
  let depth = 0;
  for (let i = from; i < tokens.length; i++) {
    const type = tokens[i]![0];
    if (type === TokenType.OpenCurly) depth++;
    else if (type === TokenType.CloseCurly && --depth === 0) return i;
  }
  return tokens.length;
}

function addRule(rules: Map<string, Declarations>, prelude: readonly CSSToken[], declarations: Declarations): void {
  const text = prelude.map((token) => (isBlank(token) ? " " : token[1])).join("");
  for (const written of text.split(",")) {
    const selector = written.trim().replace(/^[a-z][\w-]*/i, (element) => element.toLowerCase());
    if (!/^(?:[a-z][\w-]*)?(?:[.#][\w-]+)?$/i.test(selector) || selector === "") continue;
    rules.set(selector, merge(rules.get(selector), declarations));
  }
}

/** Later declarations replace earlier ones, except important ones. */
export function merge(before: Declarations | undefined, after: Declarations): Declarations {
  if (before === undefined) return after;
  const merged = new Map(before);
  for (const [name, declaration] of after)
    if (declaration.isImportant || merged.get(name)?.isImportant !== true) merged.set(name, declaration);
  return merged;
}
