/** Values of options that files have: bodies of emails and JSON members are files more often than words on a command line. */
import { readFileSync } from "node:fs";
import { UsageError } from "../../output/errors";

/** The value of an option whose text is in stdin. */
export const STDIN = "@-";

/** The text that a value names, or the value itself. */
export function fromFile(value: string, option: string): string {
  if (!value.startsWith("@")) return value;
  if (value.startsWith("@@")) return value.slice(1);
  const file = value === STDIN ? "stdin" : value.slice(1);
  let bytes: Buffer;
  try {
    bytes = readFileSync(value === STDIN ? 0 : file);
  } catch (error) {
    throw new UsageError(
      `--${option}: cannot read ${file} (${(error as NodeJS.ErrnoException).code}); write @@ for a literal @`,
    );
  }
  try {
    // A byte order mark belongs to the file, not to the text.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`--${option}: ${file} is not UTF-8; save it as UTF-8`);
  }
}
