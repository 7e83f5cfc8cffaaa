/** The longest times that settings and faults may have. */
import { z } from "zod";

/** The longest delay of Node's timers; a longer one would fire at once. */
export const LONGEST_WAIT = 2 ** 31 - 1;
/** A century: the API's time format has years of four digits. */
export const LONGEST_SPAN = 100 * 365.25 * 24 * 3600_000;

/** Milliseconds of real time. */
export const milliseconds = z.number().nonnegative().max(LONGEST_WAIT);
/** Milliseconds of the emulator's clock. */
export const clockDuration = z.number().nonnegative().max(LONGEST_SPAN);
