/** Parses YAML that people write: what the parser only warns of is an error, and messages are for users. */
import { parseDocument } from "yaml";

const words: Record<string, string> = {
  MULTIPLE_DOCS: "a second document begins here: --- and ... divide a file",
  TAG_RESOLVE_FAILED: "tags such as !env or !secret have no meaning here",
};

/** An error of the parser in our words, if it needs other ones: then without its place. */
export const yamlProblem = (code = ""): string | undefined => words[code];

/**
 * The content of YAML or JSON. `<<` merges.
 * @throws {YAMLError} also for an unknown tag, which the parser would take for a plain text
 */
export function parseStrictly(text: string): unknown {
  const document = parseDocument(text, { merge: true });
  const error = document.errors[0] ?? document.warnings.find(({ code }) => code === "TAG_RESOLVE_FAILED");
  if (error !== undefined) throw error;
  return document.toJS();
}
