/**
 * All waiting times of the provider but those for pictures (account-folder/pictures/picture-limits.ts), and the maximum age of data that it
 * has read. In milliseconds, each with its source. What a wrong value costs: decisions/waits.md. Times of a single request are settings
 * (`esign:timeout`, `esign:retries`); from when a wait is reported: `noticeableWait` in sdk/request/announce-waits.ts.
 */

// How long reads may lag behind writes: `longestLag` in sdk/http/read-lag.ts.

/**
 * Pause between two reads while waiting for a change. It starts with `first` and doubles up to `longest`. Source: people notice a second.
 */
export const readPause = { first: 250, longest: 1_000 };

/**
 * The file of recent writes that all processes of this machine share. `maxAge`: it is not read again for this long, about 1 % of
 * `longestLag`. `expiry`: a file that is older, by the file system's clock, has no line that still matters.
 */
export const recentWrites = { maxAge: 100, expiry: 60_000 };

/** After this time a claim of a new object is deleted, unless its process goes on. */
export const claimExpiry = 10 * 60_000;

/** After this time no process is writing a temporary file any more. */
export const temporaryFileExpiry = 60 * 60_000;

// Maximum age of data that was read, by its use.

export const readMaxAge = {
  /** Refresh, which is one phase of the engine. Source: a refresh of a thousand objects takes less time. */
  refresh: 60_000,
  /** Preview: everything is read once. */
  preview: Number.POSITIVE_INFINITY,
  /** Right before a write. Source: decisions/conflicts.md, which also says what can be lost. */
  write: 15_000,
  /** The list of companies that all stacks of a fleet share. Source: decisions/fleet.md. */
  fleet: 15 * 60_000,
};

// The search for the object of a create request whose response was lost (decisions/adoption.md).

export const lostCreate = {
  /** Minimum time to wait for a list to show a write. Source: measured; a shorter time saves 3 %. */
  leastWait: 500,
  /** Minimum pause between two reads of the list for one create. Each pause is as long as the time since the response was lost. */
  leastPause: 100,
  /** The list is read once no create has been in progress for `quiet`, so that one read serves all creates that were lost meanwhile, … */
  quiet: 20,
  /** … or after `longestDelay`. */
  longestDelay: 250,
};

/**
 * How long a user waits for an email address that an update of another user gives up in the same run, and how often to look. Chosen, not
 * measured: an update is a few requests.
 */
export const addressWait = { longest: 10_000, pause: 200 };

// Other processes.

/**
 * How long to wait for the process of an earlier run that may still be creating objects, and how often to check. Source: it ends soon
 * after its engine (`exit-with-engine.ts`).
 */
export const earlierProcess = { longest: 2_000, pause: 100 };

/** Pause before the provider reconnects to the engine. Source: ten attempts take as long as `earlierProcess.longest`. */
export const reconnectPause = 200;

// Waiting for registrations: no engine tells a provider whether the program is about to register more resources.

/** The program counts as having registered everything after `least` without a registration, and after `longest` in any case. */
export const registrationQuiet = { least: 100, longest: 2_000 };

/** How long to wait for the registration of more resources whose objects can prove which account the key belongs to. */
export const moreProbesWait = 250;

/** How long to wait for more creates before the summary of a preview is logged, if the engine checks only some of the resources. */
export const summaryDelay = 1_000;

// Display of waits.

/** Two waits for the same reason with at most this pause between them are shown as one. Source: people notice a second. */
export const waitGap = 1_000;
