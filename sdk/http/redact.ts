/** Removes keys from strings, in every encoding in which a key may be sent or printed. */
import { SecretTexts } from "../../redaction/secret-texts";
import { secretMembers } from "../api/secret-members";
import { collapseWhitespace, ELLIPSIS } from "../text/one-line";

const REDACTED = "[redacted]";

/** Secrets that are recognizable by what precedes them, even if they were never added. */
const PATTERNS = [
  new RegExp(`("(?:${secretMembers})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`, "gi"),
  new RegExp(`(\\b(?:${secretMembers})=)[^&\\s"'<>]+`, "gi"),
  /(\bBasic\s+)(?=[A-Za-z+/_-]*[0-9=])[A-Za-z0-9+/_-]{4,}={0,2}/gi,
];

/** Redacts the keys of a client and of its subaccounts. */
export class Redactor {
  readonly #keys = new SecretTexts();

  /** Redacts this key from now on. */
  add(key: string): void {
    this.#keys.add(key);
  }

  /** The text without keys. What is to be shown in part gets {@link excerpt}: of a key that was cut, the rest is not recognized. */
  redact(text: string): string {
    return PATTERNS.reduce(
      (result, pattern) => result.replace(pattern, `$1${REDACTED}`),
      this.#keys.replace(text, REDACTED),
    );
  }

  /** The beginning of a text in one line: the whole text is redacted before it is cut. */
  excerpt(text: string, length: number): string {
    const line = collapseWhitespace(this.redact(text));
    return line.length > length ? `${line.slice(0, length)}${ELLIPSIS}` : line;
  }
}
