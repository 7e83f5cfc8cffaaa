/**
 * Decides whether a write may still be sent: not after a cancel, and not after the time limit of its operation. A request that was sent
 * is waited for, and its outcome is recorded.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { existsSync } from "node:fs";
import type { Clock } from "../core/clock";
import { cancelFileOf } from "../reporting/effect-reporter";

/** An operation of the engine that may have a time limit, as the option `customTimeouts` calls it. */
export type TimedOperation = "create" | "update" | "delete";

interface TimeLimit {
  operation: TimedOperation;
  seconds: number;
  /** When it is over, by the clock. */
  end: number;
}

/** Only used where there is a limit: each that was ever used slows every promise of a process on Node 20. */
const limits = new AsyncLocalStorage<TimeLimit>();

export class WriteGate {
  readonly #cancelFile: string | undefined;
  #isCancelled = false;
  #hasLimits = false;

  constructor(
    readonly clock: Pick<Clock, "now">,
    environment: NodeJS.ProcessEnv,
  ) {
    this.#cancelFile = cancelFileOf(environment);
  }

  /** The engine ends the run: no write begins any more. */
  cancel(): void {
    this.#isCancelled = true;
  }

  /** Performs an operation that the engine gives so many seconds; 0: any time. */
  within<T>(seconds: number, operation: TimedOperation, work: () => Promise<T>): Promise<T> {
    if (!(seconds > 0)) return work();
    this.#hasLimits = true;
    return limits.run({ operation, seconds, end: this.clock.now() + seconds * 1000 }, work);
  }

  /** Why a write may not begin; undefined if it may. */
  get refusal(): string | undefined {
    // An engine that cannot tell a provider of a cancel is started by a program that leaves a file.
    this.#isCancelled ||= this.#cancelFile !== undefined && existsSync(this.#cancelFile);
    if (this.#isCancelled) return "the run was cancelled";
    const limit = this.#hasLimits ? limits.getStore() : undefined;
    if (limit === undefined || this.clock.now() < limit.end) return undefined;
    return `the time limit of ${limit.seconds} s (customTimeouts.${limit.operation}) is over`;
  }
}
