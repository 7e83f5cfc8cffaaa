/**
 * The time that a call takes. Its timeout runs from the first permit on and stops while the call waits for another: waiting for
 * other calls does not count.
 */
export class CallTime {
  #deadline: number | undefined;
  /** Since when the call has been waiting for its next attempt. */
  #idleSince = performance.now();

  /** @param timeout milliseconds */
  constructor(readonly timeout: number) {}

  /**
   * An attempt begins.
   * @param since when the call asked for the permit, and when it got it
   * @returns the milliseconds that it has waited since the attempt before, and those that it has left
   */
  begin(asked: number, since: number): { waited: number; left: number } {
    this.#deadline = (this.#deadline ?? asked + this.timeout) + since - asked;
    return { waited: Math.max(0, since - this.#idleSince), left: this.#deadline - since };
  }

  /** The attempt has ended. */
  end(): void {
    this.#idleSince = performance.now();
  }

  /** Milliseconds, after the first attempt. */
  get left(): number {
    return this.#deadline! - performance.now();
  }
}

/** Milliseconds for one attempt. An idempotent call uses half of the time left, so that a hanging attempt leaves time for another. */
export function attemptTimeout(timeLeft: number, idempotent: boolean): number {
  return idempotent && timeLeft >= 10_000 ? timeLeft / 2 : timeLeft;
}
