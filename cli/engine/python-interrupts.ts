/**
 * Removes what a program in Python prints when the Pulumi CLI ends it, after an error or a cancel: tracebacks of `KeyboardInterrupt` in its
 * host, which say nothing of the program.
 */
import type { EngineEvent } from "../../engine/events";

type Diagnostic = Extract<EngineEvent, { type: "diagnostic" }>;

const [start, interrupt, link] = [
  /^Traceback \(most recent call last\):/,
  /^KeyboardInterrupt\b/,
  /^During handling of the above exception, another/,
];

/** Maximum number of lines of a traceback; a longer one is shown. */
const mostLines = 500;

export class PythonInterrupts {
  /** The lines of a traceback that has not ended. */
  #open: Diagnostic[] = [];
  #isAfterInterrupt = false;

  /** Receives a line that was printed to stderr. Returns the lines to show. */
  take(line: Diagnostic): Diagnostic[] {
    const { message } = line;
    if (this.#open.length === 0 && !start.test(message)) {
      const isShown = !(this.#isAfterInterrupt && link.test(message));
      this.#isAfterInterrupt = false;
      return isShown ? [line] : [];
    }
    this.#open.push(line);
    // Of an exception only the first line and the last one are not indented.
    const isOpen = this.#open.length === 1 || /^(\s|$)/.test(message);
    if (isOpen && this.#open.length < mostLines) return [];
    const lines = this.rest();
    this.#isAfterInterrupt = interrupt.test(message);
    return this.#isAfterInterrupt ? [] : lines;
  }

  /** At the end: the lines of a traceback that has not ended. */
  rest(): Diagnostic[] {
    return this.#open.splice(0);
  }
}
