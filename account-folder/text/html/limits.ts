/** HTML that takes more time or memory to read than any email needs. */
export class HtmlLimitError extends Error {
  override readonly name = "HtmlLimitError";

  constructor(problem: string) {
    super(`The HTML cannot be read: ${problem}.`);
  }
}

/** Names the file in the error of one that is beyond the limits. */
export function withFile<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof HtmlLimitError) error.message = `${file}: ${error.message}`;
    throw error;
  }
}
