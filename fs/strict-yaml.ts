/** Parses YAML that people write: what the parser only warns of is an error. */
import { parseDocument } from "yaml";

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
