/**
 * Errors of a disk, or of a system, that has run out of something: what fails now works once there is more of it. Others, such as that of a
 * read-only folder, are how a machine is set up.
 */
const remedies: Record<string, string> = {
  ENOSPC: "Free disk space",
  EDQUOT: "Free disk space",
  EFBIG: "Raise the limit of a file's size",
  EIO: "Check the disk",
  EMFILE: "Raise the limit of open files",
  ENFILE: "Raise the limit of open files",
  ENOMEM: "Free memory",
};

/** What to do, as the beginning of a sentence; undefined for other errors. */
export const exhaustionRemedy = (code: string | undefined): string | undefined => remedies[code ?? ""];
