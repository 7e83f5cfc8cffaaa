/** Stack traces for the people whose code is in them. */

/** A text without the stack frames that lie in Node or in somebody's package: what is left is the user's own code. */
export function withoutForeignFrames(text: string): string {
  const lines = text.split("\n");
  const kept = lines.filter((line) => !/^\s+at .*(node:|node_modules[/\\])/.test(line));
  return kept.length === lines.length ? text : kept.join("\n").trimEnd();
}
