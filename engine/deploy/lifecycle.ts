/**
 * The course of one operation: whether it goes on, and what of it is under way. Whatever goes wrong, what has begun is
 * finished and recorded, and nothing new is begun.
 *
 * Serves: when the calls of ResourceMonitor are refused, and when its last one is answered.
 */
import { ShuttingDown } from "../errors";
import type { StepEventEmitter } from "./step-events";

export class Lifecycle {
  /** Something went wrong, and was told. */
  hasFailed = false;
  /** The user wants it to end. */
  isCancelled = false;
  private hasStopped = false;
  private readonly onStop: (() => void)[] = [];
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly telling: StepEventEmitter) {}

  /** True when nothing new is begun. */
  get isStopped(): boolean {
    return this.hasStopped;
  }

  stop(): void {
    this.hasStopped = true;
    for (const told of this.onStop.splice(0)) told();
  }

  untilStopped(): Promise<undefined> {
    return new Promise((resolve) => {
      if (this.hasStopped) resolve(undefined);
      else this.onStop.push(() => resolve(undefined));
    });
  }

  throwIfStopped(): void {
    if (this.hasStopped) throw new ShuttingDown();
  }

  /** Something went wrong. An empty message: it was told already. */
  fail(message: string, urn = ""): void {
    this.hasFailed = true;
    if (message !== "") this.telling.diagnostic("error", message, urn);
    this.stop();
  }

  /** Something has begun that is to be finished. */
  track<T>(task: Promise<T>): Promise<T> {
    const settled = task.then(
      () => undefined,
      () => undefined,
    );
    this.running.add(settled);
    void settled.then(() => this.running.delete(settled));
    return task;
  }

  /** Resolves when everything that has begun is finished. */
  async drain(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled([...this.running]);
  }
}
