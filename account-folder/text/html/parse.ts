/**
 * One parse of HTML: the tree that a browser makes of it, and all its tags in their order. The tree drops and moves what is
 * misplaced (rows outside of tables, text between cells), but the API sends it unchanged: rules about tags need the order.
 */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser, type Token, Tokenizer } from "parse5";
import { isConditional } from "./conditional-comments";
import { HtmlLimitError, MAX_ADDED_ELEMENTS, MAX_ATTRIBUTES, MAX_DEPTH } from "./limits";

export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;

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

export type StartTag = TextRange & { kind: "start"; name: string; attributes: Attribute[] };

export type HtmlToken =
  | StartTag
  | (TextRange & { kind: "end"; name: string })
  /** Text; `within` is the element whose content is no markup, such as `style`, `script`, `title`. */
  | (TextRange & { kind: "text"; text: string; within?: string })
  | (TextRange & { kind: "comment"; text: string })
  /** A parse error; `code` as in the HTML standard. */
  | (TextRange & { kind: "error"; code: string });

/** HTML as one kind of mail client sees it. */
export interface ParsedHtml {
  /** In the order of the HTML. */
  tokens: readonly HtmlToken[];
  /** What the document contains. Each text is a node of its own, with its place. */
  tree: readonly HtmlNode[];
}

/** Elements without content. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    if ((this.currentToken as Token.TagToken).attrs.length >= MAX_ATTRIBUTES)
      throw new HtmlLimitError(`a tag has more than ${MAX_ATTRIBUTES} attributes`);
    super._leaveAttrName();
  }
}

/** Adjacent texts are not joined, so that each keeps its place. */
const separateTexts: typeof defaultTreeAdapter = {
  ...defaultTreeAdapter,
  insertText: (parent, text) => defaultTreeAdapter.appendChild(parent, defaultTreeAdapter.createTextNode!(text)),
  insertTextBefore: (parent, text, next) =>
    defaultTreeAdapter.insertBefore(parent, defaultTreeAdapter.createTextNode!(text), next),
};

/** Errors of the tree, such as a missing doctype: usual in emails, which are parts of documents. */
const TREE_ERRORS: ReadonlySet<string> = new Set([
  "non-void-html-element-start-tag-with-trailing-solidus",
  "non-conforming-doctype",
  "missing-doctype",
  "misplaced-doctype",
  "end-tag-without-matching-open-element",
  "closing-of-element-with-open-child-elements",
  "disallowed-content-in-noscript-in-head",
  "open-elements-left-after-eof",
  "abandoned-head-element-child",
  "misplaced-start-tag-for-head-element",
  "nested-noscript-in-head",
  "eof-in-element-that-can-contain-only-text",
]);

class RecordingParser extends Parser<DefaultTreeAdapterTypes.DefaultTreeAdapterMap> {
  readonly tokens: HtmlToken[] = [];
  /** The last token that is not an error. */
  #last: HtmlToken | undefined;
  /** The parser handles a token that ends a table's text twice. */
  #recorded: unknown;
  #within: string | undefined;
  #startTags = 0;
  #elements = 0;

  readonly #html: string;

  constructor(html: string) {
    // Mail clients run no scripts.
    const options = { sourceCodeLocationInfo: true, scriptingEnabled: false, treeAdapter: separateTexts };
    super({
      ...options,
      onParseError: ({ code, startOffset, endOffset }) => {
        if (!TREE_ERRORS.has(code)) this.tokens.push({ kind: "error", code, start: startOffset, end: endOffset });
      },
    });
    this.#html = html;
    this.tokenizer = new BoundedTokenizer(this.options, this);
    this.tokenizer.write(html, true);
  }

  override onItemPush(...args: Parameters<Parser<DefaultTreeAdapterTypes.DefaultTreeAdapterMap>["onItemPush"]>): void {
    super.onItemPush(...args);
    if (this.openElements.stackTop >= MAX_DEPTH)
      throw new HtmlLimitError(`its elements are nested more than ${MAX_DEPTH} levels deep`);
    if (++this.#elements > MAX_ADDED_ELEMENTS * (this.#startTags + MAX_DEPTH))
      throw new HtmlLimitError("it has too many tags that are not closed");
  }

  override onStartTag(token: Token.TagToken): void {
    const isNew = !this.#isRecorded(token);
    if (isNew) this.#recordStartTag(token);
    super.onStartTag(token);
    // The standard's text states: what follows is no markup, up to the end tag.
    if (isNew && TEXT_STATES.has(this.tokenizer.state)) this.#within = token.tagName;
  }

  #recordStartTag(token: Token.TagToken): void {
    this.#startTags++;
    const { attrs: places = {}, ...location } = token.location!;
    const attributes = token.attrs.map((attribute) => {
      const at = rangeOf(places[attribute.name] ?? location);
      return { name: attribute.name, value: attribute.value, ...at, ...valuePlace(this.#html, at) };
    });
    this.#push({ kind: "start", name: token.tagName, attributes, ...rangeOf(location) });
  }

  override onEndTag(token: Token.TagToken): void {
    if (!this.#isRecorded(token)) {
      this.#within = undefined;
      this.#push({ kind: "end", name: token.tagName, ...rangeOf(token.location) });
    }
    super.onEndTag(token);
  }

  override onCharacter(token: Token.CharacterToken): void {
    this.#text(token);
    super.onCharacter(token);
  }

  override onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.#text(token);
    super.onWhitespaceCharacter(token);
  }

  override onNullCharacter(token: Token.CharacterToken): void {
    this.#text(token);
    super.onNullCharacter(token);
  }

  override onComment(token: Token.CommentToken): void {
    if (!this.#isRecorded(token)) this.#push({ kind: "comment", text: token.data, ...rangeOf(token.location) });
    super.onComment(token);
  }

  override _insertCharacters(token: Token.CharacterToken): void {
    this.#correct(token);
    super._insertCharacters(token);
  }

  #text(token: Token.CharacterToken): void {
    if (this.#isRecorded(token)) return;
    this.#correct(token);
    const last = this.#last;
    const within = this.#within;
    const { chars } = token;
    const at = rangeOf(token.location);
    // The tokenizer emits spaces and letters one by one, with errors in between.
    if (last?.kind === "text" && last.end === at.start) {
      last.text += chars;
      last.end = at.end;
    } else this.#push({ kind: "text", text: chars, ...at, ...(within !== undefined && { within }) });
  }

  /** The tokenizer lets a text that begins with a surrogate pair begin in the middle of it. */
  #correct({ location }: Token.CharacterToken): void {
    for (const side of ["startOffset", "endOffset"] as const) {
      const at = location![side];
      if (isLowSurrogate(this.#html.charCodeAt(at)) && isHighSurrogate(this.#html.charCodeAt(at - 1)))
        location![side]--;
    }
  }

  #isRecorded(token: unknown): boolean {
    const isRepeated = this.#recorded === token;
    this.#recorded = token;
    return isRepeated;
  }

  #push(token: HtmlToken): void {
    this.tokens.push(token);
    this.#last = token;
  }
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit < 0xe000;

/** The tokenizer's states for RCDATA, RAWTEXT, SCRIPT_DATA and PLAINTEXT. */
const TEXT_STATES: ReadonlySet<number> = new Set([1, 2, 3, 4]);

const rangeOf = (location: { startOffset: number; endOffset: number } | null): TextRange => ({
  start: location!.startOffset,
  end: location!.endOffset,
});

/** Parses HTML. Any text is HTML; only one beyond the limits throws an {@link HtmlLimitError}. */
export function parseHtml(html: string): ParsedHtml {
  const { tokens, document } = new RecordingParser(html);
  const isCondition = (token: HtmlToken) =>
    token.kind === "comment" && isConditional(html.slice(token.start, token.end));
  const conditions = tokens.filter(isCondition);
  if (conditions.length === 0) return { tokens, tree: document.childNodes };
  // What is an error in another comment is how these are written. Errors come in order, before the comment that they are in.
  let next = 0;
  const isExpected = (token: HtmlToken): boolean => {
    while (next < conditions.length && conditions[next]!.end < token.start) next++;
    const condition = conditions[next];
    return token.kind === "error" && condition !== undefined && condition.start <= token.start;
  };
  return { tokens: tokens.filter((token) => !isExpected(token)), tree: document.childNodes };
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
export const attributeOf = (tag: StartTag, name: string): Attribute | undefined =>
  tag.attributes.find((attribute) => attribute.name === name);

export const startTagsOf = (tokens: readonly HtmlToken[]): StartTag[] =>
  tokens.filter((token): token is StartTag => token.kind === "start");
