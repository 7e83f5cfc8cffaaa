/** Stack traces for the people whose code is in them. */
import { sep } from "node:path";
import { preloadFolder } from "../plugin/node-process";

/** Frames of Node or of somebody's package, and what asked for a module that was not found, as far as it is not the user's. */
const foreignFrame = /^\s+at .*(node:|node_modules[/\\])|^- .*node_modules[/\\]/;

/** Frames of what the engine loads into programs and providers before their own code. */
const isPreloadFrame = (line: string): boolean => /^\s+at /.test(line) && line.includes(`${preloadFolder}${sep}`);

/** What Node adds to an error about a missing module, and has said before in its message. */
const moduleNotFoundDetails = /(?: \{)?\n\s+code: 'MODULE_NOT_FOUND',\n\s+requireStack: \[[^\]]*\]\n\s*\}/;

/** A text without the stack frames that lie in Node or in somebody's package: what is left is the user's own code. */
export function userFramesOnly(text: string): string {
  const lines = text.replace(moduleNotFoundDetails, "").split("\n");
  const kept = lines.filter((line) => !foreignFrame.test(line) && !isPreloadFrame(line));
  return kept.length === lines.length ? lines.join("\n") : kept.join("\n").trimEnd();
}
