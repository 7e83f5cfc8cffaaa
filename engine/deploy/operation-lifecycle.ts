/**
 * The lifecycle of one operation: whether it continues, and what is in progress. After a failure, what is in progress
 * is finished and recorded, and nothing new starts.
 *
 * Used for: when the calls of ResourceMonitor are rejected, and when its last one is answered.
 */
import { AlreadyReported, messageOf, ShuttingDown } from "../errors";
import { PlanFailure } from "../plan/step";
import type { EventSink } from "./event-sink";

export class Lifecycle {
  /** An error was reported. */
  hasFailed = false;
  /** The user cancelled the operation. */
  isCancelled = false;
  #hasStopped = false;
  readonly #onStop: (() => void)[] = [];
  readonly #running = new Set<Promise<void>>();

  readonly #events: EventSink;

  constructor(events: EventSink) {
    this.#events = events;
  }

  /** True when nothing new starts. */
  get isStopped(): boolean {
    return this.#hasStopped;
  }

  stop(): void {
    this.#hasStopped = true;
    for (const listener of this.#onStop.splice(0)) listener();
  }

  untilStopped(): Promise<undefined> {
    return new Promise((resolve) => {
      if (this.#hasStopped) resolve(undefined);
      else this.#onStop.push(() => resolve(undefined));
    });
  }

  throwIfStopped(): void {
    if (this.#hasStopped) throw new ShuttingDown();
  }

  /** Stops after an error. Without a message it was reported where it happened. */
  fail(message = "", urn = ""): void {
    this.hasFailed = true;
    if (message !== "") this.#events.diagnostic("error", message, urn);
    this.stop();
  }

  /** The same for an error that was thrown. */
  failWith(error: unknown, urn = ""): void {
    if (error instanceof AlreadyReported) this.fail();
    else this.fail(messageOf(error), error instanceof PlanFailure ? error.urn : urn);
  }

  /** Remembers a task that has started and is to be finished. */
  track<T>(task: Promise<T>): Promise<T> {
    const settled = task.then(
      () => undefined,
      () => undefined,
    );
    this.#running.add(settled);
    void settled.then(() => this.#running.delete(settled));
    return task;
  }

  /** Resolves when everything that has started is finished. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled([...this.#running]);
  }
}
