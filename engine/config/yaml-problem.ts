/** What is wrong with a YAML file, with the place where a person has to look. */
import { openQuoteAt, openQuoteMessage, yamlMessage } from "../../fs/open-quote";
import { messageOf } from "../errors";

export function describeYamlProblem(text: string, error: unknown): string {
  const { code, pos } = error as { code?: string; pos?: readonly number[] };
  const quote = openQuoteAt(text, error as Error);
  // Other messages name the place themselves.
  const at = quote ?? (code === "MULTIPLE_DOCS" ? pos?.[0] : undefined);
  if (at === undefined) return messageOf(error);
  const lines = text.slice(0, at).split("\n");
  const message = quote === undefined ? yamlMessage(error as Error) : openQuoteMessage;
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}: ${message}`;
}
