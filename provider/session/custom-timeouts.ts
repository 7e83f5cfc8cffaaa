/** The time that the engine gives an operation: the option `customTimeouts`. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../core/clock";

/** An operation that may have a time limit, by its name in the option. */
export type TimedOperation = "create" | "update" | "delete";

interface TimeLimit {
  operation: TimedOperation;
  seconds: number;
  /** When it is over, by the clock. */
  end: number;
}

/** Only used where there is a limit: each that was ever used slows every promise of a process on Node 20. */
const limits = new AsyncLocalStorage<TimeLimit>();

export class CustomTimeouts {
  #areUsed = false;

  constructor(readonly clock: Pick<Clock, "now">) {}

  /** Performs an operation that the engine gives so many seconds; 0: any time. */
  within<T>(seconds: number, operation: TimedOperation, work: () => Promise<T>): Promise<T> {
    if (!(seconds > 0)) return work();
    this.#areUsed = true;
    return limits.run({ operation, seconds, end: this.clock.now() + seconds * 1000 }, work);
  }

  /** Why a write of the current operation may not begin; undefined if it may. */
  get refusal(): string | undefined {
    const limit = this.#areUsed ? limits.getStore() : undefined;
    if (limit === undefined || this.clock.now() < limit.end) return undefined;
    return `the time limit of ${limit.seconds} s (customTimeouts.${limit.operation}) is over`;
  }
}
