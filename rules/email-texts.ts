/** The texts of an email template as rules look at them: with their places, their variables and the reader's view of the HTML. */
import type { LoadedEmail } from "../account-folder/folder/fill-folder";
import { SourcedText, SourceFile, type SourceLocation } from "../account-folder/placeholders/source-map";
import { HtmlBody } from "../account-folder/text/html/body";
import { withFile } from "../account-folder/text/html/limits";
import { type Lookalike, lookalikesOfText } from "../account-folder/text/variable-lookalikes";
import { type Variable, variablesOfText } from "../account-folder/text/variables";
import type { EmailText } from "../definitions/branding-email";
import type { RequiredByField } from "./required-variables";

/** A field of an email template. */
export type Field = keyof EmailText;

/** How messages name the fields. */
export const fieldLabels: Record<Field, string> = {
  subject: "the subject",
  content: "the HTML body",
  contentPlain: "the plain text",
};

interface Context {
  /** Its directory. */
  place: SourceLocation;
  /** Files without content. */
  empty: readonly SourceLocation[];
  plainIsDerived: boolean;
  /** The brand colour. */
  colour?: string;
  required: RequiredByField;
}

/** Each text is parsed on first use. */
export class EmailTexts {
  #bodyOfContent: HtmlBody | undefined;
  readonly #variablesOfField: { [k in Field]?: Variable[] } = {};

  readonly #texts: { [k in Field]?: SourcedText };

  constructor(
    readonly type: string,
    texts: { [k in Field]?: SourcedText },
    readonly context: Context,
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

/** The texts of a folder's email template. */
export function textsOfEmail(
  { type, subject, content, contentPlain, place, empty, plainIsDerived }: LoadedEmail,
  context: Pick<Context, "colour" | "required">,
): EmailTexts {
  const texts = { ...(subject && { subject }), ...(content && { content }), ...(contentPlain && { contentPlain }) };
  return new EmailTexts(type, texts, { place, empty, plainIsDerived, ...context });
}

/** Texts without files: each is in a file that has the field's name. */
export function textsWithoutFiles(
  type: string,
  texts: EmailText,
  context: Pick<Context, "colour" | "required">,
): EmailTexts {
  const sourced = Object.fromEntries(
    Object.entries(texts)
      .filter(([, text]) => text !== undefined && text !== "")
      .map(([field, text]) => [field, SourcedText.of(new SourceFile(field, text))]),
  );
  const place = new SourceFile(type, "").place(0);
  return new EmailTexts(type, sourced, { place, empty: [], plainIsDerived: false, ...context });
}
