/** Stack traces, reduced to the frames of the user's own code. */
import { sep } from "node:path";
import { preloadFolder } from "./preloads";

/** Frames of Node or of a package, and packages in the require stack of a module that was not found. */
const foreignFrame = /^\s+at .*(node:|node_modules[/\\])|^- .*node_modules[/\\]/;

/** Frames of the engine's preloads in programs and providers. */
const isPreloadFrame = (line: string): boolean => /^\s+at /.test(line) && line.includes(`${preloadFolder}${sep}`);

/** The part of an error about a missing module that repeats its message. */
const moduleNotFoundDetails = /(?: \{)?\n\s+code: 'MODULE_NOT_FOUND',\n\s+requireStack: \[[^\]]*\]\n\s*\}/;

/** The text without the stack frames of Node and of packages; those of the user's own code remain. */
export function userFramesOnly(text: string): string {
  const lines = text.replace(moduleNotFoundDetails, "").split("\n");
  const ownLines = lines.filter((line) => !foreignFrame.test(line) && !isPreloadFrame(line));
  return ownLines.length === lines.length ? lines.join("\n") : ownLines.join("\n").trimEnd();
}
