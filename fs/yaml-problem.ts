/** Describes an error in a YAML file, with the position where a person has to look. */
import { openQuoteAt, openQuoteMessage } from "./open-quote";
import { yamlProblem } from "./strict-yaml";

export function describeYamlProblem(text: string, error: unknown): string {
  const { code, pos } = error as { code?: string; pos?: readonly number[] };
  const quote = openQuoteAt(text, error as Error);
  // Other messages name the place themselves.
  const problem = quote === undefined ? yamlProblem(code) : openQuoteMessage;
  const at = quote ?? pos?.[0];
  if (problem === undefined || at === undefined) return error instanceof Error ? error.message : String(error);
  const lines = text.slice(0, at).split("\n");
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}: ${problem}`;
}
