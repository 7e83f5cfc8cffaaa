/**
 * Infers from the order of responses why a service throttles: because the key is over a limit, or by chance. Over a limit, one request
 * after another is throttled, and sending fewer helps. By chance, a request is throttled among others that were answered at the same
 * time, however few are sent.
 */

/** Logarithms of how many times as likely two responses in a row are at a service with a limit than by chance. */
const weights = {
  /** Throttled after throttled. */
  run: 1.25,
  /** Answered after throttled, though both were in progress together. */
  answeredBeside: -0.6,
  /** Throttled after answered, though the limits have just been lowered. */
  throttledAtLowerLimits: -1.2,
};
/** The sum stays between these, so that a service that changes is noticed. */
const [lowest, highest] = [-3, 3];
/** From here on it is a limit, and up to here it is chance. */
const [limit, chance] = [2, -1];
/** Responses for which the limits count as just lowered. */
const trialSize = 10;

export class ThrottlingEvidence {
  #sum = 0;
  /** When the last response came, if it was throttled. */
  #throttledAt: number | undefined;
  /** Responses for which the limits still count as just lowered. */
  #trial = 0;

  /** Several in a row were throttled: the key is over a limit. */
  get showsLimit(): boolean {
    return this.#sum >= limit;
  }

  /** Lone ones were, whatever the limits. */
  get showsChance(): boolean {
    return this.#sum <= chance;
  }

  /** The limits have just been lowered. */
  beginTrial(): void {
    this.#trial = trialSize;
  }

  /** Adds a response of `now` to a request of `since`, both by one clock. `isOld`: sent before the limits were lowered last. */
  add(isThrottled: boolean, { since, now, isOld }: { since: number; now: number; isOld: boolean }): void {
    const isTrial = !isOld && this.#trial > 0;
    if (isTrial) this.#trial--;
    if (this.#throttledAt === undefined) {
      if (isThrottled && isTrial) this.#change(weights.throttledAtLowerLimits);
    } else if (isThrottled) this.#change(weights.run);
    else if (since < this.#throttledAt) this.#change(weights.answeredBeside);
    this.#throttledAt = isThrottled ? now : undefined;
  }

  #change(weight: number): void {
    this.#sum = Math.min(highest, Math.max(lowest, this.#sum + weight));
  }
}
