/** What another environment has where a template has a placeholder whose value there is not known. */
import { escapeHtml, unescapeHtml } from "../../sdk/text/html-escape";
import type { Values } from "../folder/load";
import { groupBy } from "../text/group-by";

interface OtherValue {
  company: string | undefined;
  name: string;
  text: string;
}

/** Collects the texts that were taken for values, in the account and its subaccounts. */
export class OtherValues {
  private readonly found: OtherValue[] = [];

  add(company: string | undefined, name: string, text: string): void {
    this.found.push({ company, name, text: unescapeHtml(text) });
  }

  /** The values that the texts agree on, of those that the text contains. */
  agreed(company: string | undefined, text: string): Values {
    const values = [...groupBy(this.found, ({ name }) => name)].flatMap(([name, found]) => {
      const own = found.filter((each) => each.company === company);
      const value = agreedValue((own.length > 0 ? own : found).map((each) => each.text));
      return value !== undefined && (text.includes(value) || text.includes(escapeHtml(value))) ? [[name, value]] : [];
    });
    return Object.fromEntries(values);
  }

  /** What to check: the templates keep these placeholders, whatever the other environment has there. */
  notes(label: string): string[] {
    return [...groupBy(this.found, ({ name }) => name)].map(([name, found]) => {
      const texts = [...new Set(found.map(({ text }) => JSON.stringify(text)))].join(" and ");
      return `\${${name}} is kept where ${label} has ${texts}: check that this is its value there`;
    });
  }
}

/** The text that is in all others. One alone may as well be a new text in the place of the value. */
function agreedValue(texts: readonly string[]): string | undefined {
  const [shortest = ""] = [...texts].sort((a, b) => a.length - b.length);
  return texts.length > 1 && texts.every((text) => text.includes(shortest)) ? shortest : undefined;
}
