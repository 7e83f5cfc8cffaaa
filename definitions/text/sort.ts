/** Orders by code units: the same on every machine, whatever its locale. */
export const compareStrings = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Orders items by a text. */
export const byText =
  <T>(key: (item: T) => string) =>
  (a: T, b: T): number =>
    compareStrings(key(a), key(b));
