/**
 * The two editions of the service's interface: that of the specification and the current one. How their operations differ in general, and
 * which fields only the current one has.
 */
import type { z } from "zod";

/** `specification`: the interface as specified; `current`: as it is today. */
export const editions = ["specification", "current"] as const;
export type Edition = (typeof editions)[number];

/** How an edition behaves in all operations, as far as it is documented. */
interface Traits {
  /** The `offset` of the first record of a list. */
  readonly firstOffset: 0 | 1;
  /** Number of records on a page if a request asks for more than the maximum. */
  readonly fallbackLimit?: number;
  /** Value of the header `Content-Type` in responses. */
  readonly contentType?: string;
  /** Error code for a URL that does not exist; null if the error has only a message. */
  readonly unknownUrlCode: number | null;
  /** True if pages of other origins may not read responses (CORS). Default: either. */
  readonly isClosedToBrowsers?: true;
}

export const traits: Readonly<Record<Edition, Traits>> = {
  specification: { firstOffset: 1, unknownUrlCode: 10003 },
  current: {
    firstOffset: 0,
    fallbackLimit: 10,
    contentType: "application/json; charset=UTF-8",
    unknownUrlCode: null,
    // Since June 2026.
    isClosedToBrowsers: true,
  },
};

/** The message for a field or member that only the current edition has. */
export const needsCurrent = "exists in the edition `current` only (option edition, esign:edition, ESIGN_EDITION)";

const currentFields = new WeakSet<z.ZodType>();

/** Marks an optional field or member that only the current edition has. */
export function currentOnly<S extends z.ZodType>(schema: S): S {
  currentFields.add(schema);
  return schema;
}

/** The names in a shape that this edition does not have. */
export function namesBeyond(edition: Edition, shape: z.ZodRawShape): string[] {
  if (edition === "current") return [];
  return Object.keys(shape).filter((name) => currentFields.has(shape[name] as z.ZodType));
}
