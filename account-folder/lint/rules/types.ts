/** What a rule is, and what rules look at. */
import type { Severity } from "../../finding";
import type { EmailText } from "../../model";
import type { SourcedText, SourceLocation } from "../../template/source-map";
import { type HtmlToken, tokenizeHtml } from "../../text/html-tokens";
import { scanVariables, type Variable, variablesOfHtml } from "../../text/variables";

/** A text of an e-mail. */
export type Field = keyof EmailText;

/** The words for a text of an e-mail. */
export const fieldNames: Record<Field, string> = {
  subject: "the subject",
  content: "the HTML body",
  contentPlain: "the plain text",
};

/** What a rule says of one place. */
export interface Issue {
  place: SourceLocation;
  message: string;
  fix: string;
}

interface RuleBase {
  /** Short name, by which it is switched off. */
  name: string;
  severity: Severity;
  /** What it asks for, one sentence. */
  description: string;
}

/** A rule on one e-mail. */
export interface EmailRule extends RuleBase {
  of: "email";
  check: (email: LintedEmail) => Iterable<Issue>;
}

/** A rule on an account's settings. */
export interface AccountRule extends RuleBase {
  of: "account";
  check: (account: LintedAccount) => Iterable<Issue>;
}

export type Rule = EmailRule | AccountRule;

/** Settings that rules look at. */
export interface LintedAccount {
  colour?: string;
  colourPlace: SourceLocation;
}

/** A variable that an e-mail must have, and who says so. */
export interface RequiredVariable {
  name: string;
  reason: string;
}

/** An e-mail that rules look at. What is costly is worked out when the first rule asks for it. */
export class LintedEmail {
  private tokensOfContent: HtmlToken[] | undefined;
  private readonly variablesOfField: { [k in Field]?: Variable[] } = {};

  constructor(
    readonly type: string,
    private readonly texts: { [k in Field]?: SourcedText },
    readonly about: {
      /** Where the e-mail itself is. */
      place: SourceLocation;
      /** Files that are there and hold nothing. */
      empty: readonly SourceLocation[];
      plainIsDerived: boolean;
      /** The account's colour. */
      colour?: string;
      /** By text, what it must have. */
      required: { [k in Field]?: readonly RequiredVariable[] };
    },
  ) {}

  text(field: Field): SourcedText | undefined {
    return this.texts[field];
  }

  /** Texts that somebody wrote: a plain text that was derived repeats what is wrong in the HTML. */
  get written(): readonly (readonly [Field, SourcedText])[] {
    return (Object.entries(this.texts) as [Field, SourcedText][]).filter(
      ([field]) => !(field === "contentPlain" && this.about.plainIsDerived),
    );
  }

  /** The HTML body in tokens. */
  get tokens(): readonly HtmlToken[] {
    this.tokensOfContent ??= tokenizeHtml(this.texts.content?.text ?? "");
    return this.tokensOfContent;
  }

  variables(field: Field): readonly Variable[] {
    const text = this.texts[field]?.text ?? "";
    this.variablesOfField[field] ??=
      field === "content" ? variablesOfHtml(text, this.tokens) : scanVariables(text, "text");
    return this.variablesOfField[field];
  }

  /** The place of a stretch of the HTML body. */
  place({ start, end }: { start: number; end: number }): SourceLocation {
    return this.texts.content!.place(start, end);
  }
}
