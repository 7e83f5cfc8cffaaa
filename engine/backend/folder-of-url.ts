/** The folder that an address of the file:// backend names. */
import path from "node:path";
import { fileURLToPath } from "node:url";

/** @param base what a relative folder is relative to */
export const folderOf = (url: string, base: string): string => {
  // The CLI accepts file://~ and file://./ as the home and the current folder, although they are not valid URLs.
  const rest = url.slice("file://".length);
  if (rest === "~" || rest.startsWith("~/")) return path.join(process.env.HOME ?? "", rest.slice(1));
  if (rest === "" || rest.startsWith(".")) return path.resolve(base, rest);
  return fileURLToPath(url);
};
