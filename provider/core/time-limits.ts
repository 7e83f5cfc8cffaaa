/**
 * Every wait of the provider, and how long what it has read stays valid, in milliseconds, each with its
 * source. What a wrong number costs: decisions/waits.md. Times of one request are settings (`esign:timeout`, `esign:retries`).
 */

// Reads that lag behind writes.

/**
 * The longest time that a read may lag behind a write, in lists and by ID. The specification does not name one. What is younger is
 * waited for before it counts as gone, changed or not created. Source: the waits of 0, 1, 2.5 and 5 seconds that adoption began
 * with (decisions/adoption.md), which no service was seen to exceed.
 */
export const longestLag = 8_500;

/** Between two reads of what is waited for: a short pause at first, then each twice as long. Source: a second is what people notice. */
export const readPause = { first: 250, longest: 1_000 };

/**
 * What the processes of this machine have written: `maxAge`: it is not read again for so long, a hundredth of the lag that it is about.
 * `useless`: by the file system's clock no line of a file matters any more, several lags later.
 */
export const recentWrites = { maxAge: 100, useless: 60_000 };

/** After which a claim of a new object decides nothing any more: all searches of its run have ended, many lags later. */
export const claimUseless = 10 * 60_000;

// For how long a reading counts.

export const readMaxAge = {
  /** A refresh: one phase of the engine. Source: a thousand objects take less. */
  refresh: 60_000,
  /** A preview reads everything once. */
  preview: Number.POSITIVE_INFINITY,
  /** Just before a write. Source: decisions/conflicts.md, where what is lost by it stands. */
  write: 15_000,
  /** The companies of a fleet, for all its stacks. Source: decisions/fleet.md. */
  fleet: 15 * 60_000,
};

// The search for what a request without a response has created (decisions/adoption.md).

export const lostCreate = {
  /** The least time that a list gets to show a write. Source: measured, a shorter one saves 3 %. */
  leastWait: 500,
  /** The least time between two readings for one create; then each doubles the time since the loss. */
  leastPause: 100,
  /** A reading begins when for so long no create was in progress, so that it serves all that are lost meanwhile; … */
  quiet: 20,
  /** … and after so long in any case. */
  longestDelay: 250,
};

// Processes.

/** The process of an earlier run that may still be creating objects. Source: it ends soon after its engine (`exit-with-engine.ts`). */
export const earlierProcess = { longest: 2_000, pause: 100 };

/** After the end of a connection to the engine, until another one is tried. Source: ten of them are `earlierProcess.longest`. */
export const reconnectPause = 200;

// Quiet times: what the program has not registered yet, no engine tells a provider.

/** What the program declares has settled when nothing was registered for `quiet`; it is waited for `longest` at most. */
export const settling = { quiet: 100, longest: 2_000 };

/** In which resources may still be registered whose objects prove the account. */
export const laterProbes = 250;

/** Without a check, until the lines of a preview are logged although the engine checks only some of the resources. */
export const summaryDelay = 1_000;

// Display.

/** Waits for one reason within this time of each other are shown as one. Source: a second is what people notice. */
export const waitGap = 1_000;
