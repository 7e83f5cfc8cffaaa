/**
 * The SDK's provider host prints an error that it also answers with, as `Error: words: stack`. Of one without a stack that says
 * nothing that is not told with the resource: the line waits for that, and is shown if it does not come.
 *
 * Serves: what provider hosts print.
 */
const printed = /^Error: (.*): $/;

export class PrintedErrors {
  private readonly told = new Set<string>();
  private readonly waiting: string[] = [];

  /** An error was told with its resource. */
  tell(message: string): void {
    this.told.add(message);
  }

  /** Whether a printed line can wait until the run is over. */
  waits(line: string): boolean {
    const waits = printed.test(line);
    if (waits) this.waiting.push(line);
    return waits;
  }

  /** The lines that waited in vain. */
  rest(): string[] {
    return this.waiting.filter((line) => !this.told.has(printed.exec(line)![1]!));
  }
}
