/**
 * Symbolic links in an account's folder. Whoever can change the folder could otherwise read any file of this machine into
 * output, a state or an account, or have a command overwrite one.
 */

import { lstatSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { AccountInputError } from "../account-input-error";

/** A folder that is not read or written. */
export class FolderError extends AccountInputError {
  override readonly name = "FolderError";
}

/** A symbolic link that is not followed. */
export class LinkError extends FolderError {}

/**
 * The real path of a file or directory of the folder; undefined if there is none. Throws a LinkError if a link on the way leads
 * out of the folder or nowhere. The folder itself may be a link.
 */
export function realPathIn(root: string, path: string): string | undefined {
  const real = realPath(join(root, path));
  const realRoot = realPath(root);
  if (real !== undefined && realRoot !== undefined && isInside(realRoot, real)) return real;
  for (const link of linksOnTheWay(root, path)) {
    const target = realPath(link);
    if (target === undefined)
      throw new LinkError(`${JSON.stringify(link)} is a symbolic link that leads nowhere. Remove it.`);
    if (realRoot === undefined || isInside(realRoot, target)) continue;
    throw new LinkError(
      `${JSON.stringify(link)} is a symbolic link to ${JSON.stringify(target)}, which is outside the account folder ${JSON.stringify(root)}. Replace it with a copy, or link to a file in the folder.`,
    );
  }
  if (real !== undefined)
    throw new LinkError(`${JSON.stringify(path)} is outside the account folder ${JSON.stringify(root)}.`);
  return undefined;
}

/** Throws a LinkError if writing one of these files of the folder would follow a symbolic link. */
export function rejectLinks(root: string, paths: Iterable<string>): void {
  for (const path of paths) {
    if (!isInside(root, join(root, path)))
      throw new LinkError(`${JSON.stringify(path)} is outside the folder ${JSON.stringify(root)}.`);
    for (const link of linksOnTheWay(root, path)) {
      throw new LinkError(
        `${JSON.stringify(link)} is a symbolic link to ${JSON.stringify(realPath(link) ?? "nothing")}: nothing is written through it. Remove it, or replace it with what it leads to.`,
      );
    }
  }
}

/** The links among a path's directories and the path itself, from the folder down. */
function* linksOnTheWay(root: string, path: string): Iterable<string> {
  let current = root;
  for (const name of path.split(/[/\\]/).filter((part) => part !== "" && part !== ".")) {
    current = join(current, name);
    const isLink = lstatSync(current, { throwIfNoEntry: false })?.isSymbolicLink();
    if (isLink === undefined) return;
    if (isLink) yield current;
  }
}

/** Undefined if there is nothing, or a link that leads nowhere or to itself. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** Whether a path is that of the folder, or of something in it. Both are absolute, or relative to the same directory. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
