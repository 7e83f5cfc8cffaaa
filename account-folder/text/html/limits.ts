/** How much HTML is read: more takes more time or memory than any email needs. */
import { AccountInputError } from "../../account-input-error";

/** The parser compares each attribute with all others of its tag, and so do rules. */
export const MAX_ATTRIBUTES = 1000;

/** Levels of nesting. The parser searches all of them at many tags, and walks of the tree are recursive. */
export const MAX_DEPTH = 500;

/** Unclosed formatting is opened again in each paragraph: elements that the parser may add to those of a tag. */
export const MAX_ADDED_ELEMENTS = 10;

/** The cells of a data table, with the rows and columns that they span. The converter's time grows with their square. */
export const MAX_CELLS = 2000;
/** Characters of a cell. A longer one would be wrapped, in the middle of a variable or an address. */
export const MAX_CELL_LENGTH = 60;

/** HTML that is beyond the limits. */
export class HtmlLimitError extends AccountInputError {
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
