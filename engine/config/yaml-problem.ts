/** What is wrong with a YAML file, with the place where a person has to look. */
import { openQuoteAt, openQuoteMessage } from "../../fs/open-quote";
import { messageOf } from "../errors";

export function describeYamlProblem(text: string, error: unknown): string {
  const at = openQuoteAt(text, error as Error);
  if (at === undefined) return messageOf(error);
  const lines = text.slice(0, at).split("\n");
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}: ${openQuoteMessage}`;
}
