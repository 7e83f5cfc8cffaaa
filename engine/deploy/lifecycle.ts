/**
 * The course of one operation: whether it goes on, and what of it is under way. Whatever goes wrong, what has begun is
 * finished and recorded, and nothing new is begun.
 *
 * Serves: when the calls of ResourceMonitor are refused, and when its last one is answered.
 */
import { ShuttingDown } from "../errors";
import type { Telling } from "./step-events";

export class Course {
  /** Something went wrong, and was told. */
  failed = false;
  /** The user wants it to end. */
  cancelled = false;
  private over = false;
  private readonly onStop: (() => void)[] = [];
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly telling: Telling) {}

  /** True when nothing new is begun. */
  get stopped(): boolean {
    return this.over;
  }

  stop(): void {
    this.over = true;
    for (const told of this.onStop.splice(0)) told();
  }

  whenStopped(): Promise<undefined> {
    return new Promise((resolve) => {
      if (this.over) resolve(undefined);
      else this.onStop.push(() => resolve(undefined));
    });
  }

  assertGoingOn(): void {
    if (this.over) throw new ShuttingDown();
  }

  /** Something went wrong. An empty message: it was told already. */
  fail(message: string, urn = ""): void {
    this.failed = true;
    if (message !== "") this.telling.diagnose("error", message, urn);
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
  async settle(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled([...this.running]);
  }
}
