/** Stack traces for the people whose code is in them. */
import { sep } from "node:path";
import { preloadFolder } from "../plugin/node-process";

/** Frames of Node or of somebody's package, and what asked for a module that was not found, as far as it is not the user's. */
const foreign = /^\s+at .*(node:|node_modules[/\\])|^- .*node_modules[/\\]/;

/** Frames of what the engine loads into programs and providers before their own code. */
const isOurs = (line: string): boolean => /^\s+at /.test(line) && line.includes(`${preloadFolder}${sep}`);

/** What Node adds to an error about a missing module, and has said before in its message. */
const repeated = /(?: \{)?\n\s+code: 'MODULE_NOT_FOUND',\n\s+requireStack: \[[^\]]*\]\n\s*\}/;

/** A text without the stack frames that lie in Node or in somebody's package: what is left is the user's own code. */
export function withoutForeignFrames(text: string): string {
  const lines = text.replace(repeated, "").split("\n");
  const kept = lines.filter((line) => !foreign.test(line) && !isOurs(line));
  return kept.length === lines.length ? lines.join("\n") : kept.join("\n").trimEnd();
}
