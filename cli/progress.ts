/** A progress bar on stderr; where lines cannot be repainted, a line now and then. */
import { errorColours } from "./terminal";

const WIDTH = 30;

export class Progress {
  private done = 0;
  private said = 0;
  private readonly repaints = process.stderr.isTTY === true && !process.env.CI && process.env.TERM !== "dumb";

  constructor(
    private readonly total: number,
    private readonly what: string,
  ) {}

  /** So many more are done, the last of them called `name`. */
  step(count: number, name = ""): void {
    if (count === 0) return;
    this.done += count;
    if (this.repaints) {
      const filled = Math.round((WIDTH * this.done) / Math.max(1, this.total));
      const bar = errorColours.green("█".repeat(filled)) + errorColours.dim("░".repeat(WIDTH - filled));
      const label = name.replace(/\p{Cc}/gu, " ").slice(0, 30);
      process.stderr.write(`\r${bar} ${this.done}/${this.total} ${this.what} ${label}\u001b[K`);
    } else if (this.done === this.total || this.done - this.said >= Math.max(1, Math.ceil(this.total / 10))) {
      this.said = this.done;
      process.stderr.write(`${this.done}/${this.total} ${this.what}\n`);
    }
  }

  end(): void {
    if (this.repaints && this.done > 0) process.stderr.write("\n");
  }
}
