/** Prints what the work commands find: lines with colours, never with a secret. */
import type { Line } from "../account/words";
import { colours, print } from "./terminal";

const paint: Record<Line["kind"], (text: string) => string> = {
  heading: colours.bold,
  add: colours.green,
  remove: colours.red,
  change: colours.yellow,
  context: (text) => text,
  note: colours.dim,
};

/** Replaces secret texts. Short ones are left: they would be found in any text. */
export function masked(text: string, secrets: readonly string[]): string {
  const longest = secrets.filter((secret) => secret.length > 3).sort((a, b) => b.length - a.length);
  return longest.reduce((result, secret) => result.replaceAll(secret, "[secret]"), text);
}

export function printLines(lines: readonly Line[], secrets: readonly string[] = []): void {
  for (const { kind, text } of lines) print(paint[kind](masked(text, secrets)));
}
