/**
 * Names of files and directories that every system accepts, Windows included, and that differ by more than letter case:
 * percent-encoded where necessary, so that the original can be read back.
 */

/** Devices of Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;

/** Whether Windows reserves a name. */
export const isReservedName = (name: string): boolean => DEVICE.test(name);

/** The form in which two names are one for a file system that ignores letter case and Unicode normalization. */
export const foldCase = (name: string): string => name.normalize("NFD").toUpperCase().normalize("NFD");

/** The file name for a text. Different texts have different names, regardless of letter case. */
export function toFileName(text: string): string {
  if (text === "") return "%";
  const name = text.replace(/[^a-z0-9._-]/gu, percentEncode);
  // A hidden file is not read, and Windows drops a dot at the end.
  const visible = name.replace(/^\.|\.$/g, percentEncode);
  return isReservedName(visible) ? percentEncode(visible[0]!) + visible.slice(1) : visible;
}

/** The text that a file name was made from; the name itself if it was not made by {@link toFileName}. */
export function fromFileName(name: string): string {
  try {
    const text = name === "%" ? "" : decodeURIComponent(name);
    return toFileName(text) === name ? text : name;
  } catch {
    return name;
  }
}

const percentEncode = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
