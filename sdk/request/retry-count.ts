/** Counts the retries of a call against its limits. */
import type { RateLimiter } from "../http/rate-limiter";
import { type FailedAttempt, mayRetry } from "../http/retry-policy";

export class RetryCount {
  #used = 0;
  /** The limiter of the attempts, and how many responses it had seen when the call was last throttled, or before the first attempt. */
  #limiter!: RateLimiter;
  #answered = 0;

  constructor(
    readonly limit: number,
    readonly isIdempotent: boolean,
  ) {}

  /** An attempt begins. Another key has another limiter. */
  begin(limiter: RateLimiter): void {
    if (this.#limiter === limiter) return;
    this.#limiter = limiter;
    this.#answered = limiter.answered;
  }

  /** Uses one; false if the call has failed. */
  take({ throttled, retryability }: Pick<FailedAttempt, "throttled" | "retryability">): boolean {
    const { answered } = this.#limiter;
    // While the service responds to others, a throttled call's turn will come: only its timeout ends that.
    const isStarved = throttled && this.limit > 0 && answered > this.#answered;
    this.#answered = answered;
    if (!isStarved) this.#used++;
    if (!mayRetry(retryability, this.isIdempotent) || this.#used > this.limit) return false;
    // Throttled calls need no retry budget: the rate limiter bounds them.
    return throttled || this.#limiter.takeRetry();
  }
}
