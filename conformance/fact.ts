/** What was seen of a service: facts, each with what the documents of both editions say of it. */
import { type Edition, editions } from "../sdk/edition";
import type { Expectation } from "./expectations";

export interface Fact {
  /** The operation, such as `webhooks.list`, or what all responses have in common. */
  readonly where: string;
  /** The path of a member, or an aspect such as `first offset`. */
  readonly what: string;
  /** In a closed vocabulary (see report.ts): nothing that an account contains. */
  readonly seen: readonly string[];
  readonly expected: Readonly<Record<Edition, Expectation>>;
}

export const byEdition = <T>(of: (edition: Edition) => T): Record<Edition, T> =>
  Object.fromEntries(editions.map((edition) => [edition, of(edition)])) as Record<Edition, T>;

/** A fact of which the documents of each edition have a list of what it may be; undefined: they have nothing. */
export function aspect(
  where: string,
  what: string,
  seen: readonly string[],
  documented: Partial<Record<Edition, readonly string[] | undefined>> = {},
): Fact {
  const judge = (edition: Edition): Expectation => {
    const allowed = documented[edition];
    if (allowed === undefined) return { text: undefined, fits: true };
    return { text: allowed.join(" or "), fits: seen.every((one) => allowed.includes(one)) };
  };
  return { where, what, seen, expected: byEdition(judge) };
}

/** The same documented for both editions. */
export const inBoth = (...allowed: string[]): Record<Edition, readonly string[]> => byEdition(() => allowed);
