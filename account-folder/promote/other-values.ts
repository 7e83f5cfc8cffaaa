/** What another environment has where a placeholder text has a placeholder whose value there is not known. */

import { groupBy } from "../../definitions/group-by";
import { unescapeHtml } from "../../sdk/text/html-escape";
import type { Values } from "../folder/fill-folder";
import { splitAtValues } from "./split-at-values";

interface OtherValue {
  company: string | undefined;
  name: string;
  text: string;
}

/** Collects the texts that were taken for values, in the account and its subaccounts. */
export class OtherValues {
  readonly #found: OtherValue[] = [];
  readonly #taken: OtherValue[] = [];

  add(company: string | undefined, name: string, text: string): void {
    this.#found.push({ company, name, text: unescapeHtml(text) });
  }

  /** Says that a text was read with a value that others agree on. */
  take(company: string | undefined, name: string, text: string): void {
    this.#taken.push({ company, name, text });
  }

  /**
   * The values that the texts agree on, of those that the text contains. Those of other subaccounts prove nothing.
   * @param own - the values that the subaccount sets itself: the account's values of these names are others
   */
  agreed(company: string | undefined, own: Values, text: string): Values {
    const isOf = (one: OtherValue) =>
      one.company === company || (one.company === undefined && !Object.hasOwn(own, one.name));
    const values = [...groupBy(this.#found.filter(isOf), ({ name }) => name)].flatMap(([name, found]) => {
      const value = agreedValue(found.map((each) => each.text));
      return value !== undefined && contains(text, value) ? [[name, value]] : [];
    });
    return Object.fromEntries(values);
  }

  /** What to check: the placeholder texts keep these placeholders, whatever the other environment has there. */
  notes(label: string): string[] {
    return [
      ...byName(
        this.#taken,
        (name, texts) => `taken as the value of \${${name}} in ${label}: ${texts}; check that it is`,
      ),
      ...byName(
        this.#found,
        (name, texts) => `\${${name}} is kept where ${label} has ${texts}: check that this is its value there`,
      ),
    ];
  }
}

const byName = (values: readonly OtherValue[], write: (name: string, texts: string) => string): string[] =>
  [...groupBy(values, ({ name }) => name)].map(([name, all]) =>
    write(name, [...new Set(all.map(({ text }) => JSON.stringify(text)))].join(" and ")),
  );

/** The text that is in all others. One alone may as well be a new text in the place of the value. */
function agreedValue(texts: readonly string[]): string | undefined {
  const [shortest = ""] = [...texts].sort((a, b) => a.length - b.length);
  return texts.length > 1 && texts.every((text) => contains(text, shortest)) ? shortest : undefined;
}

/** As a value is found in a placeholder text: not in the middle of a word. */
const contains = (text: string, value: string): boolean =>
  (["text", "html"] as const).some((format) =>
    splitAtValues(text, { value }, format).some((piece) => piece.value !== undefined),
  );
