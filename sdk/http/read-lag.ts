/**
 * The longest time, in milliseconds, for which a read, of a list or by ID, may not show a write yet. The specification names none. While a
 * write is younger than this, it is too early to conclude that an object is gone, unchanged or not created. Source: adoption began with
 * waits of 0, 1, 2.5 and 5 seconds (decisions/adoption.md), and no service was seen to lag longer than their sum.
 */
export const longestLag = 8_500;
