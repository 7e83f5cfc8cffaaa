/** Describes what is wrong in a YAML file, with the position where a person has to look. */
import { openQuoteAt, openQuoteMessage } from "./open-quote";

const words: Record<string, string> = {
  MULTIPLE_DOCS: "a second document begins here: --- and ... divide a file",
  TAG_RESOLVE_FAILED: "tags such as !env or !secret have no meaning here",
};

/** An error of the parser in our words, if it needs other ones: then without its place. */
export const yamlProblem = (code = ""): string | undefined => words[code];

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
