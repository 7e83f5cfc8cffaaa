/** What a rule is, and what rules check. */
import type { Severity } from "../../finding";
import type { EmailText } from "../../model";
import type { SourcedText, SourceLocation } from "../../template/source-map";
import { HtmlBody } from "../../text/html/body";
import { withFile } from "../../text/html/limits";
import { type Lookalike, lookalikesOfText } from "../../text/lookalikes";
import { type Variable, variablesOfText } from "../../text/variables";

/** A field of an email template. */
export type Field = keyof EmailText;

/** How messages name the fields. */
export const fieldNames: Record<Field, string> = {
  subject: "the subject",
  content: "the HTML body",
  contentPlain: "the plain text",
};

/** One violation of a rule. */
export interface Issue {
  place: SourceLocation;
  message: string;
  fix: string;
}

interface RuleBase {
  /** Short name, by which account.yaml disables it. */
  name: string;
  severity: Severity;
  /** What it requires: one or two imperative sentences. */
  description: string;
}

/** A rule for one email template. */
export interface EmailRule extends RuleBase {
  scope: "email";
  check: (email: LintedEmail) => Iterable<Issue>;
}

/** A rule for an account's settings. */
export interface AccountRule extends RuleBase {
  scope: "account";
  check: (account: LintedAccount) => Iterable<Issue>;
}

export type Rule = EmailRule | AccountRule;

/** The settings that rules check. */
export interface LintedAccount {
  colour?: string;
  colourPlace: SourceLocation;
  logoUrl?: string;
  logoPlace: SourceLocation;
}

/** A variable that an email template must contain, and why. */
export interface RequiredVariable {
  /** One of them is enough. */
  anyOf: readonly string[];
  /** "requires", "the account's current text contains": what follows the variable in a message. */
  reason: string;
  /** Whether a reader must see it. If not, the API alone looks for it, also in comments. */
  mustBeShown?: boolean;
  /** `warning`: it is advised only. Default: error. */
  severity?: Severity;
}

/** An email template that rules check. Each text is read on first use. */
export class LintedEmail {
  #bodyOfContent: HtmlBody | undefined;
  readonly #variablesOfField: { [k in Field]?: Variable[] } = {};

  readonly #texts: { [k in Field]?: SourcedText };

  constructor(
    readonly type: string,
    texts: { [k in Field]?: SourcedText },
    readonly context: {
      /** Its directory. */
      place: SourceLocation;
      /** Files without content. */
      empty: readonly SourceLocation[];
      plainIsDerived: boolean;
      /** The brand colour. */
      colour?: string;
      /** Required variables by field. */
      required: { [k in Field]?: readonly RequiredVariable[] };
    },
  ) {
    this.#texts = texts;
  }

  text(field: Field): SourcedText | undefined {
    return this.#texts[field];
  }

  /** The fields that have a file. A derived plain text would only repeat the issues of the HTML. */
  get written(): readonly (readonly [Field, SourcedText])[] {
    return (Object.entries(this.#texts) as [Field, SourcedText][]).filter(
      ([field]) => !(field === "contentPlain" && this.context.plainIsDerived),
    );
  }

  /** The HTML body; without one, an empty one. */
  get body(): HtmlBody {
    const { content } = this.#texts;
    this.#bodyOfContent ??= content
      ? withFile(content.place(0).file, () => new HtmlBody(content.text))
      : new HtmlBody("");
    return this.#bodyOfContent;
  }

  variables(field: Field): readonly Variable[] {
    if (field === "content") return this.body.variables;
    this.#variablesOfField[field] ??= variablesOfText(this.#texts[field]?.text ?? "");
    return this.#variablesOfField[field]!;
  }

  /** What looks like a variable, and the API does not replace. */
  lookalikes(field: Field): readonly Lookalike[] {
    return field === "content"
      ? this.body.lookalikes
      : lookalikesOfText(this.#texts[field]?.text ?? "", this.variables(field));
  }

  /** The location of a part of the HTML body. */
  place({ start, end }: { start: number; end: number }): SourceLocation {
    return this.#texts.content!.place(start, end);
  }
}
