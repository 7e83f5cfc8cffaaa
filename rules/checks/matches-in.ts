/** What a pattern matches in the fields of an email. */
import type { SourcedText } from "../../account-folder/placeholders/source-map";
import type { EmailTexts, Field } from "../email-texts";
import type { Violation } from "../rule";

/** What one pattern matches in some of the fields, each written text once. */
export function* matchesIn(
  email: EmailTexts,
  fields: readonly Field[],
  pattern: RegExp,
  describe: (written: string, field: Field) => Pick<Violation, "message" | "fix">,
): Iterable<Violation> {
  for (const [field, text] of email.written) {
    if (!fields.includes(field)) continue;
    const seen = new Set<string>();
    for (const { 0: written, index } of text.text.matchAll(pattern)) {
      if (seen.has(written)) continue;
      seen.add(written);
      yield { place: placeOf(text, index, written), ...describe(written, field) };
    }
  }
}

const placeOf = (text: SourcedText, index: number, written: string) => text.place(index, index + written.length);
