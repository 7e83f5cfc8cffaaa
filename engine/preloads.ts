/** Where the scripts are that are loaded into programs and providers before their own code. It imports nothing: it stays in its place in dist/. */
import path from "node:path";

export const preloadFolder = path.join(__dirname, "plugin", "preload");

/** Arguments that preload these scripts. Compiled they are .js files; from the sources (tests) the same texts under other names. */
export const preloadArguments = (...names: string[]): string[] =>
  names.flatMap((name) => ["-r", path.join(preloadFolder, `${name}${path.extname(__filename)}`)]);
