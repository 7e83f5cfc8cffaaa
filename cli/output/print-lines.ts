/** Prints comparisons and notes: lines with colours, never with a secret. */
import type { Comparison } from "../../account-folder/diff/comparison";
import type { Line } from "../../account-folder/diff/format-diff";
import { joinLines } from "../../definitions/text/display";
import { SecretFilter } from "../../engine/secrets/secret-filter";
import { escapeHtml } from "../../sdk/text/html-escape";
import { colours, errorColours, note, print } from "./terminal";

const paint: Record<Line["kind"], (text: string) => string> = {
  heading: colours.bold,
  add: colours.green,
  remove: colours.red,
  change: colours.yellow,
  context: (text) => text,
  note: colours.dim,
};

/**
 * What takes secret texts out of all texts of a value, before these are laid out in lines or as JSON. Where a field of the
 * comparisons is a secret as a whole, the other side's text is one as well: it may be the new secret.
 */
export function withoutSecretTexts(
  secrets: readonly string[],
  comparisons: readonly Comparison[] = [],
): <T>(value: T) => T {
  const [initial, texts] = [new Set(secrets), new Set(secrets)];
  const fields = comparisons
    .flatMap(({ changes, environment, unmanaged, uncompared }) => [
      ...changes,
      ...environment,
      ...unmanaged,
      ...uncompared,
    ])
    .flatMap((change) => change.fields);
  for (const { before = "", after = "" } of fields) {
    if (initial.has(before) || initial.has(after)) texts.add(before).add(after);
  }
  const filter = new SecretFilter();
  // In an HTML body, values are written with entities.
  for (const text of texts) for (const written of new Set([text, escapeHtml(text)])) filter.addText(written);
  return (value) => filter.redactDeep(value);
}

export function printLines(lines: readonly Line[]): void {
  for (const { kind, text } of lines) print(paint[kind](text));
}

/** What is worth a look, beside the output proper: a line each. */
export function printNotes(notes: readonly string[]): void {
  for (const text of notes) note(errorColours.yellow(`note: ${joinLines(text)}`));
}
