/** Paths of the scripts that are loaded into programs and providers before their own code. Imports nothing, so that it keeps its path in dist/. */
import path from "node:path";

export const preloadFolder = path.join(__dirname, "plugin", "preload");

/** Arguments that preload these scripts. They have the extension of this file: .js if compiled, .ts in tests. */
export const preloadArguments = (...names: string[]): string[] =>
  names.flatMap((name) => ["-r", path.join(preloadFolder, `${name}${path.extname(__filename)}`)]);
