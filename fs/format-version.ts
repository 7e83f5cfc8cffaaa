/** Formats of files and states: each has its `version`, and what a later version of this package has written is not read. */

/** True if something has a later version than the newest one here: what its members mean is not known, and it is not damaged. */
export function isOfLaterVersion(content: unknown, newest: number): boolean {
  const version = (content as { version?: unknown } | null | undefined)?.version;
  return typeof version === "number" && version > newest;
}
