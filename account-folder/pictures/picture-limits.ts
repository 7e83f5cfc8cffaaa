/** How much is spent on pictures, which others serve: a logo may be compared, and need not be. */
export const pictureLimits = {
  /** Bytes of the largest picture. */
  bytes: 2_000_000,
  /** Milliseconds for all of one. */
  time: 5000,
  /** The most redirects that are followed. */
  redirects: 3,
  /** Milliseconds of waiting in vain after which no more pictures are read. */
  waiting: 20_000,
  /** The most pictures that are read at the same time. */
  atOnce: 8,
} as const;
