/** The emulator's numbers that a user may meet: what it refuses beyond them is in strictness.ts, what users set in emulator-settings.ts. */
import { z } from "zod";

/** The longest delay of Node's timers; a longer one would fire at once. */
export const LONGEST_WAIT = 2 ** 31 - 1;
/** The last day of the years of four digits, which the API's time format has. */
export const latestTime = Date.UTC(9999, 11, 31);
/** A century. */
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
/** Milliseconds within which the URL of a webhook answers when it is registered. */
export const registrationTimeout = 2000;

/** Records in a page where the request asks for no number. */
export const defaultPageSize = 10;
/** Months of a company's usage. */
export const usageMonths = 12;
/** Milliseconds for which a signer can prove who he is; the service does not document it. */
export const verificationSession = 24 * 3600_000;
/** Milliseconds without an answer of 200 after which a webhook is suspended. */
export const suspendAfter = 3 * 24 * 3600_000;

/** Sent emails that are kept; the oldest are forgotten. */
export const mostEmails = 1000;
/** Notifications in the log; the oldest are forgotten. */
export const mostDeliveries = 1000;
/** Notifications that wait for being sent; others are dropped. */
export const mostWaitingDeliveries = 1000;
/** Requests in the log, where the options have no number; the oldest are forgotten. */
export const defaultLogSize = 10_000;
/** Names of fields in the log of a request, and characters of each. */
export const mostLoggedFields = 50;
export const longestLoggedField = 100;
/** Rows of a table of the status page; the number of others is below it. */
export const mostRows = 50;
/** Mistakes that an error describes: a request may have a million. */
export const mostDescribedMistakes = 10;
