/** A progress bar on stderr; where lines cannot be repainted, a line now and then. */
import { truncate } from "../display/terminal-text";
import { canRepaint, endProgressLine, errorColours, writeProgressLine } from "./terminal";

const WIDTH = 30;

export class ProgressBar {
  #done = 0;
  #reported = 0;
  readonly #repaints = canRepaint(process.stderr);

  readonly #total: number;
  readonly #what: string;

  constructor(total: number, what: string) {
    this.#total = total;
    this.#what = what;
  }

  /** So many more are done, the last of them called `name`. */
  step(count: number, name = ""): void {
    if (count === 0) return;
    this.#done += count;
    if (this.#repaints) {
      // A line that is broken is not painted over. The last column stays free, as some terminals break behind it.
      const counts = ` ${this.#done}/${this.#total} ${this.#what} `;
      const room = (process.stderr.columns || 80) - 1 - counts.length;
      const long = Math.max(0, Math.min(WIDTH, room));
      const filled = Math.round((long * this.#done) / Math.max(1, this.#total));
      const bar = errorColours.green("█".repeat(filled)) + errorColours.dim("░".repeat(long - filled));
      const label = room > long ? truncate(name.replace(/\p{Cc}/gu, " "), Math.min(30, room - long)) : "";
      writeProgressLine(`${bar}${counts}${label}`);
    } else if (this.#done === this.#total || this.#done - this.#reported >= Math.max(1, Math.ceil(this.#total / 10))) {
      this.#reported = this.#done;
      process.stderr.write(`${this.#done}/${this.#total} ${this.#what}\n`);
    }
  }

  end(): void {
    if (this.#repaints && this.#done > 0) endProgressLine();
  }
}
