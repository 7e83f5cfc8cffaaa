/**
 * The SDK's provider host prints an error that it also answers with, as `Error: words: stack`. Of one without a stack that says
 * nothing that is not told with the resource: the line waits for that, and is shown if it does not come.
 *
 * Serves: what provider hosts print.
 */
const printed = /^Error: (.*): $/;

export class DuplicateErrorFilter {
  private readonly messages = new Set<string>();
  private readonly heldBack: string[] = [];

  /** An error was reported with its resource. */
  addReported(message: string): void {
    this.messages.add(message);
  }

  /** Whether a printed line can wait until the run is over. */
  holdBack(line: string): boolean {
    const waits = printed.test(line);
    if (waits) this.heldBack.push(line);
    return waits;
  }

  /** The lines that waited in vain. */
  unreported(): string[] {
    return this.heldBack.filter((line) => !this.messages.has(printed.exec(line)![1]!));
  }
}
