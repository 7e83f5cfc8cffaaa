/** Describes errors of files and folders: what could not be done with which file, why, and what to do. */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { fileOfTemporaryName } from "../../fs/atomic-write";
import { exhaustionRemedy } from "../../fs/exhausted";

const actions: Record<string, string> = {
  open: "cannot open",
  read: "cannot read",
  write: "cannot write",
  mkdir: "cannot make the folder",
  mkdtemp: "cannot make a folder for temporary files,",
  scandir: "cannot list",
  opendir: "cannot list",
  rename: "cannot rename",
  link: "cannot copy",
  copyfile: "cannot copy",
  unlink: "cannot remove",
  rm: "cannot remove",
  rmdir: "cannot remove",
  fsync: "cannot write",
};

const denied = "you have no permission";
const reasons: Record<string, string> = {
  ENOENT: "it does not exist",
  ENOTDIR: "a part of it is a file, not a folder",
  EISDIR: "it is a folder, not a file",
  EEXIST: "it exists already",
  ENOTEMPTY: "it is not empty",
  EACCES: denied,
  EPERM: denied,
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "your quota of the disk is used up",
  EFBIG: "the file would be too large",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EIO: "the disk reported an error",
  ENOMEM: "the system has no memory left",
  EBUSY: "another program uses it",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
};

const barred = "Make it readable and writable for you";
const occupied = "Something else has this name: move it away";
const remedies: Record<string, string> = {
  EACCES: barred,
  EPERM: barred,
  EROFS: barred,
  ENOTDIR: occupied,
  EISDIR: occupied,
  EEXIST: occupied,
};

/** The lines about it; undefined for an error of anything else, or one that is not known. */
export function describeSystemError(error: NodeJS.ErrnoException & { dest?: string }): string[] | undefined {
  const { code = "", syscall, path } = error;
  const reason = syscall === "mkdir" && code === "ENOENT" ? "no folder can be made there" : reasons[code];
  const action = actions[syscall ?? ""];
  if (reason === undefined || syscall === undefined) return undefined;
  if (action === undefined || path === undefined || path === "") return [error.message, ...remedyFor(error)];
  const target = fileOfTemporaryName(path);
  if (target !== undefined) {
    const why = reason === denied ? (otherOwner(path) ?? `${denied} for its folder`) : reason;
    return [`cannot write ${target}: ${why} (${code})`, ...remedyFor({ ...error, path: dirname(path) })];
  }
  const what = syscall === "mkdtemp" ? dirname(path) : path;
  const owner = reason === denied ? otherOwner(what) : undefined;
  return [`${action} ${what}: ${owner ?? reason} (${code})`, ...remedyFor(error)];
}

/** Whose it is, if it is another user's: itself, or the folder in which it would be. */
function otherOwner(path: string): string | undefined {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  for (const place of [path, dirname(path)]) {
    const uid = uidOf(place);
    if (uid !== undefined) return uid === user ? undefined : `${place === path ? "it" : place} belongs to another user`;
  }
  return undefined;
}

function uidOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}

/** What to do about it. */
function remedyFor({ code = "", syscall, path }: NodeJS.ErrnoException): string[] {
  const exhausted = exhaustionRemedy(code);
  if (syscall === "mkdtemp")
    return [
      `    ${exhausted === undefined ? "Set TMPDIR to a folder that exists, and that you may write to" : `${exhausted}, or set TMPDIR to a folder on another disk`}.`,
    ];
  const remedy = exhausted === undefined ? remedies[code] : `${exhausted}, then rerun the command`;
  if (remedy === undefined) return [];
  const isState = path?.split(/[\\/]/).includes(".pulumi") ?? false;
  return [`    ${remedy}${isState ? ", or keep states elsewhere: PULUMI_BACKEND_URL=file://<folder>" : ""}.`];
}
