/**
 * Decides whether a write may still be sent: not after a cancel, and not after the time limit of its operation. A request that was sent
 * is waited for, and its outcome is recorded.
 */
import { existsSync } from "node:fs";
import type { Clock } from "../core/clock";
import { cancelFileOf } from "../reporting/effect-reporter";
import { CustomTimeouts, type TimedOperation } from "./custom-timeouts";

export class WriteGate {
  readonly #cancelFile: string | undefined;
  readonly #timeouts: CustomTimeouts;
  #isCancelled = false;

  constructor(clock: Pick<Clock, "now">, environment: NodeJS.ProcessEnv) {
    this.#timeouts = new CustomTimeouts(clock);
    this.#cancelFile = cancelFileOf(environment);
  }

  /** The engine ends the run: no write begins any more. */
  cancel(): void {
    this.#isCancelled = true;
  }

  /** Performs an operation that the engine gives so many seconds; 0: any time. */
  within<T>(seconds: number, operation: TimedOperation, work: () => Promise<T>): Promise<T> {
    return this.#timeouts.within(seconds, operation, work);
  }

  /** Why a write may not begin; undefined if it may. */
  get refusal(): string | undefined {
    // An engine that cannot tell a provider of a cancel is started by a program that leaves a file.
    this.#isCancelled ||= this.#cancelFile !== undefined && existsSync(this.#cancelFile);
    return this.#isCancelled ? "the run was cancelled" : this.#timeouts.refusal;
  }
}
