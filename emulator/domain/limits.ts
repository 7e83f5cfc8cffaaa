/** The limits of the emulator: what it refuses beyond them is in strictness.ts. */
import { z } from "zod";

/** The longest delay of Node's timers; a longer one would fire at once. */
export const LONGEST_WAIT = 2 ** 31 - 1;
/** A century: the API's time format has years of four digits. */
export const LONGEST_SPAN = 100 * 365.25 * 24 * 3600_000;

/** Milliseconds of real time. */
export const milliseconds = z.number().nonnegative().max(LONGEST_WAIT);
/** Milliseconds of the emulator's clock. */
export const clockDuration = z.number().nonnegative().max(LONGEST_SPAN);

/** Megabytes of the largest body. Documents travel in forms as base64, so bodies can be large. */
export const largestBody = 64;
/** The most successful updates of a party, of its name and address together. */
export const mostPartyUpdates = 5;
/** Date fields of an envelope: each document has one for each signer. */
export const mostDateFields = 10_000;
/** Milliseconds within which the URL of a webhook answers. */
export const webhookTimeout = 2000;
