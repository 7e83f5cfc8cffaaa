/** Orders by code units: the same on every machine, whatever its language. */
export const compareStrings = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The same for items, by a text that is theirs. */
export const byText =
  <T>(key: (item: T) => string) =>
  (a: T, b: T): number =>
    compareStrings(key(a), key(b));
