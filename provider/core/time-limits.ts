/**
 * How long this package waits, and for how long what it has read counts, in milliseconds: every such number of the provider, with its
 * source. Times of one request are settings (`esign:timeout`, `esign:retries`).
 */

/**
 * The longest time that a read may lag behind a write, in lists and by ID. The specification does not name one. What is younger is
 * waited for before it counts as gone, changed or not created. Source: the waits of 0, 1, 2.5 and 5 seconds that adoption began
 * with (decisions/adoption.md), which no service was seen to exceed.
 */
export const longestLag = 8_500;

/** Between two reads of what is waited for: a short pause at first, then each twice as long. Source: a second is what people notice. */
export const readPause = { first: 250, longest: 1_000 };
