/** Stack traces for the people whose code is in them. */
import { sep } from "node:path";
import { preloadFolder } from "./preloads";

/** Frames of Node or of a package, and packages in the require stack of a module that was not found. */
const foreignFrame = /^\s+at .*(node:|node_modules[/\\])|^- .*node_modules[/\\]/;

/** Frames of what the engine loads into programs and providers before their own code. */
const isPreloadFrame = (line: string): boolean => /^\s+at /.test(line) && line.includes(`${preloadFolder}${sep}`);

/** What Node adds to an error about a missing module, and has said before in its message. */
const moduleNotFoundDetails = /(?: \{)?\n\s+code: 'MODULE_NOT_FOUND',\n\s+requireStack: \[[^\]]*\]\n\s*\}/;

/** A text without the stack frames of Node and of packages: the user's own code is left. */
export function userFramesOnly(text: string): string {
  const lines = text.replace(moduleNotFoundDetails, "").split("\n");
  const ownLines = lines.filter((line) => !foreignFrame.test(line) && !isPreloadFrame(line));
  return ownLines.length === lines.length ? lines.join("\n") : ownLines.join("\n").trimEnd();
}
