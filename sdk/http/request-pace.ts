/** When the next request may start: a token bucket that holds one token. */

/** Milliseconds that a timer may be late, which are made up for. */
const timerTolerance = 10;

export class RequestPace {
  /** When the next request may start. */
  nextAt = 0;

  /** Takes the next start, for a request that can start `now` (milliseconds); returns when that is. */
  take(now: number, perSecond: number): number {
    const at = Math.max(this.nextAt, now - timerTolerance);
    this.nextAt = at + 1_000 / perSecond;
    return at;
  }
}
