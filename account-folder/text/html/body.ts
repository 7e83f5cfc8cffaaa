/**
 * The one reader of an email's HTML: its tags, addresses and variables, and what its readers see. What only Outlook reads is
 * read like everything else, and marked.
 */
import { type Lookalike, lookalikesOfHtml } from "../variable-lookalikes";
import { type Variable, variablesOfHtml } from "../variables";
import { type Address, addressesIn, addressesOfDecoded } from "./addresses";
import { isForOutlook, outlookView } from "./conditional-comments";
import { DecodedText } from "./decoded-text";
import { type HtmlToken, type ParsedHtml, parseHtml, type StartTag, startTagsOf } from "./parse";
import { type Visibility, visibilityOf } from "./visibility";

/** HTML as one kind of mail client reads it. */
export type View = ParsedHtml & Visibility;

const viewOf = (html: string, isOutlook = false): View => {
  const parsed = parseHtml(html);
  return { ...parsed, ...visibilityOf(parsed.tree, isOutlook) };
};

export class HtmlBody {
  readonly #outlook: View | undefined;
  readonly #outlookHtml: string | undefined;
  /** As most mail clients read it. */
  readonly view: View;
  #tagsOfViews: StartTag[] | undefined;
  #addressesOfViews: Address[] | undefined;
  #variablesOfViews: Variable[] | undefined;
  #lookalikesOfView: Lookalike[] | undefined;

  /** Throws an `HtmlLimitError` for HTML that would take too long. */
  constructor(readonly html: string) {
    this.view = viewOf(html);
    this.#outlookHtml = outlookView(html, this.view.tokens);
    this.#outlook = this.#outlookHtml === undefined ? undefined : viewOf(this.#outlookHtml);
  }

  /** The tokens in their order, once for each kind of mail client. */
  get tokensOfViews(): readonly (readonly HtmlToken[])[] {
    return [this.view, ...(this.#outlook ? [this.#outlook] : [])].map(({ tokens }) => tokens);
  }

  /** All start tags, in order. */
  get tags(): readonly StartTag[] {
    this.#tagsOfViews ??= this.#union((view) => startTagsOf(view.tokens));
    return this.#tagsOfViews;
  }

  /** All addresses, in order. */
  get addresses(): readonly Address[] {
    this.#addressesOfViews ??= this.#union((view, html) => [
      ...addressesIn(html, startTagsOf(view.tokens), view.texts),
      ...addressesOfDecoded(
        new DecodedText(
          html,
          view.texts.filter(({ isShown }) => isShown),
        ),
      ),
    ]);
    return this.#addressesOfViews;
  }

  /** The texts of style elements, in order. */
  get styles(): readonly { start: number; end: number }[] {
    return this.#union((view) => view.texts.filter(({ within }) => within === "style"));
  }

  /** All variables, in order. Those that only Outlook reads are not shown. */
  get variables(): readonly Variable[] {
    this.#variablesOfViews ??= this.#union((view, html) => {
      const isRead = (token: HtmlToken) =>
        token.kind !== "comment" || !isForOutlook(html.slice(token.start, token.end));
      const variables = variablesOfHtml(html, { ...view, tokens: view.tokens.filter(isRead) });
      return view === this.view ? variables : variables.map((variable) => ({ ...variable, isShown: false }));
    });
    return this.#variablesOfViews;
  }

  /** What looks like a variable where most mail clients read it, in order. */
  get lookalikes(): readonly Lookalike[] {
    const { tokens, texts } = this.view;
    this.#lookalikesOfView ??= lookalikesOfHtml(this.html, { tags: startTagsOf(tokens), texts }, this.variables);
    return this.#lookalikesOfView;
  }

  /** The variables that readers see, or can follow: with most mail clients, and with Outlook. */
  get shownVariables(): { most: ReadonlySet<string>; outlook: ReadonlySet<string> } {
    const shown = (variables: readonly Variable[]) =>
      new Set(variables.flatMap(({ name, isShown, flaw }) => (isShown && flaw === undefined ? name : [])));
    const most = shown(this.variables);
    if (this.#outlook === undefined && !/mso-hide/i.test(this.html)) return { most, outlook: most };
    const view = viewOf(outlookView(this.html, this.view.tokens, true) ?? this.html, true);
    return { most, outlook: shown(variablesOfHtml(this.html, { ...view, isOutlook: true })) };
  }

  /** Whether a tag is of an element that readers see. */
  isShown = (offset: number): boolean => this.view.shownTags.has(offset);

  /** Whether the character at an offset is in a part that Outlook skips. */
  isSkippedByOutlook = (offset: number): boolean =>
    this.#outlookHtml !== undefined && this.#outlookHtml[offset] !== this.html[offset];

  /** What the views have, each part once: what most clients read comes first. */
  #union<T extends { start: number; end: number }>(partsOf: (view: View, html: string) => T[]): T[] {
    const parts = new Map<string, T>();
    for (const view of [this.view, ...(this.#outlook ? [this.#outlook] : [])])
      for (const part of partsOf(view, this.html)) {
        const key = `${part.start}-${part.end}-${"url" in part ? part.url : ""}`;
        if (!parts.has(key)) parts.set(key, part);
      }
    return [...parts.values()].sort((a, b) => a.start - b.start);
  }
}
