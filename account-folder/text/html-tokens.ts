/**
 * HTML as tokens with their offsets. The HTML of emails is not parsed into a tree on purpose: a browser's tree drops and
 * moves misplaced content (rows outside of tables, text between cells), but the API sends it unchanged.
 */
import { type Token, Tokenizer, TokenizerMode } from "parse5";
import { HtmlLimitError } from "./html-limits";

/** From one offset of the HTML to another. */
export interface TextRange {
  start: number;
  end: number;
}

export interface Attribute extends TextRange {
  name: string;
  /** The value with its entities decoded. */
  value: string;
  /** The range of the value, without quotes. */
  valueAt: TextRange;
  /** `"` or `'`; empty for a value without quotes. */
  quote: string;
}

export type HtmlToken =
  | (TextRange & { kind: "start"; name: string; attributes: Attribute[] })
  | (TextRange & { kind: "end"; name: string })
  /** Text; `within` is the element of text that readers do not see: `style`, `script`. */
  | (TextRange & { kind: "text"; text: string; within?: string })
  | (TextRange & { kind: "comment"; text: string })
  /** A parse error; `code` as in the HTML standard. */
  | (TextRange & { kind: "error"; code: string });

/** Elements whose content is not markup. */
const RAW_TEXT: ReadonlyMap<string, number> = new Map([
  ["style", TokenizerMode.RAWTEXT],
  ["script", TokenizerMode.SCRIPT_DATA],
  ["title", TokenizerMode.RCDATA],
  ["textarea", TokenizerMode.RCDATA],
  ["xmp", TokenizerMode.RAWTEXT],
  ["iframe", TokenizerMode.RAWTEXT],
  ["noembed", TokenizerMode.RAWTEXT],
  ["noframes", TokenizerMode.RAWTEXT],
]);

/** Elements without content. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

/** The parser compares each attribute with all others of its tag, and so do rules. */
const MAX_ATTRIBUTES = 1000;

class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    if ((this.currentToken as Token.TagToken).attrs.length >= MAX_ATTRIBUTES)
      throw new HtmlLimitError(`a tag has more than ${MAX_ATTRIBUTES} attributes`);
    super._leaveAttrName();
  }
}

/** Splits HTML into tokens, in order. Any text is HTML; only one beyond the limits throws an {@link HtmlLimitError}. */
export function tokenizeHtml(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  /** The last token that is not an error. */
  let last: HtmlToken | undefined;
  const push = (token: HtmlToken) => {
    tokens.push(token);
    last = token;
  };
  let within: string | undefined;
  const range = (location: { startOffset: number; endOffset: number } | null): TextRange => ({
    start: location!.startOffset,
    end: location!.endOffset,
  });
  const text = (token: { chars: string; location: { startOffset: number; endOffset: number } | null }) => {
    const at = range(token.location);
    // The parser emits spaces and letters one by one, with errors in between.
    if (last?.kind === "text" && last.end === at.start) {
      last.text += token.chars;
      last.end = at.end;
    } else push({ kind: "text", text: token.chars, ...at, ...(within && { within }) });
  };
  const tokenizer = new BoundedTokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const { attrs: places = {}, ...location } = token.location!;
        const attributes = token.attrs.map((attribute) => {
          const at = range(places[attribute.name] ?? location);
          return { name: attribute.name, value: attribute.value, ...at, ...valuePlace(html, at) };
        });
        push({ kind: "start", name: token.tagName, attributes, ...range(location) });
        const mode = RAW_TEXT.get(token.tagName);
        if (mode !== undefined && !token.selfClosing) {
          tokenizer.state = mode as typeof tokenizer.state;
          within = token.tagName;
        }
      },
      onEndTag(token) {
        within = undefined;
        push({ kind: "end", name: token.tagName, ...range(token.location) });
      },
      onCharacter: text,
      onWhitespaceCharacter: text,
      onNullCharacter: text,
      onComment: (token) => push({ kind: "comment", text: token.data, ...range(token.location) }),
      onDoctype: () => {},
      onEof: () => {},
      onParseError: (error) =>
        tokens.push({ kind: "error", code: error.code, start: error.startOffset, end: error.endOffset }),
    },
  );
  tokenizer.write(html, true);
  return tokens;
}

/** Finds the value in `name="value"`. */
function valuePlace(html: string, at: TextRange): { valueAt: TextRange; quote: string } {
  const written = html.slice(at.start, at.end);
  const before = /^[^=]*=\s*/.exec(written)?.[0];
  if (before === undefined) return { valueAt: { start: at.end, end: at.end }, quote: "" };
  const first = written[before.length] ?? "";
  const quote = first === '"' || first === "'" ? first : "";
  const start = at.start + before.length + quote.length;
  const closed = quote !== "" && written.endsWith(quote) && at.end - 1 >= start;
  return { valueAt: { start, end: closed ? at.end - 1 : at.end }, quote };
}

/** An attribute of a start tag, by its name. */
export function attributeOf(token: HtmlToken & { kind: "start" }, name: string): Attribute | undefined {
  return token.attributes.find((attribute) => attribute.name === name);
}
