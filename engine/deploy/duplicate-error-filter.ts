/**
 * Removes a duplicate error. The SDK's provider host prints an error that it also returns, as `Error: words: stack`. Without a stack, the
 * line says nothing that the resource's error does not say: it is held back until that error comes, and printed if it does not come.
 *
 * Used for: what provider hosts print.
 */
const [start, end] = ["Error: ", ": "];
/** Maximum number of lines of a message; a longer one, or one with a stack, is printed. */
const mostLines = 20;

export class DuplicateErrorFilter {
  readonly #messages = new Set<string>();
  readonly #heldBack: string[] = [];
  /** The lines of a message that has not ended. */
  #open: string[] = [];

  /** An error was reported with its resource. */
  addReported(message: string): void {
    this.#messages.add(message);
  }

  /** Receives a printed line. Returns the lines that are not held back. */
  take(line: string): string[] {
    if (this.#open.length === 0 && !line.startsWith(start)) return [line];
    this.#open.push(line);
    const isMessage = line.endsWith(end);
    if (!isMessage && this.#open.length < mostLines && !/^\s+at /.test(line)) return [];
    const lines = this.#open;
    this.#open = [];
    if (!isMessage) return lines;
    this.#heldBack.push(lines.join("\n"));
    return [];
  }

  /** The lines that were held back and whose error was not reported otherwise. */
  unreported(): string[] {
    const isReported = (text: string) => this.#messages.has(text.slice(start.length, -end.length));
    return [...this.#heldBack.filter((text) => !isReported(text)), ...this.#open].flatMap((text) => text.split("\n"));
  }
}
