/** Handles the signals that end a command, such as Ctrl-C. */
import { Exit } from "./exit-codes";
import { setMustFinish } from "./terminal";

/** The first Ctrl-C ends in order, the second at once. A terminal that is closed asks for order, however often. */
export class Interrupt {
  readonly #controller = new AbortController();
  readonly #handlers: [NodeJS.Signals, () => void][];

  constructor({ onCancel, onAbort }: { onCancel?: () => void; onAbort?: () => void }) {
    const cancel = () => {
      if (this.signal.aborted) return;
      this.#controller.abort();
      onCancel?.();
    };
    const cancelOrAbort = () => {
      if (!this.signal.aborted) return cancel();
      onAbort?.();
      process.exit(Exit.cancelled);
    };
    this.#handlers = [
      ["SIGINT", cancelOrAbort],
      ["SIGTERM", cancelOrAbort],
      ["SIGHUP", cancel],
    ];
    for (const [signal, handler] of this.#handlers) process.on(signal, handler);
    setMustFinish(true);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  off(): void {
    for (const [signal, handler] of this.#handlers) process.off(signal, handler);
    setMustFinish(false);
  }
}
