/** The two editions of the service's interface, the specification and the current one: how all operations differ, and which fields only one has. */
import type { z } from "zod";

/** That of the specification, and today's. */
export const editions = ["specification", "current"] as const;
export type Edition = (typeof editions)[number];

/** What all operations have in common, where the documents of an edition say something about it. */
interface Traits {
  /** `offset` of the first record of a list. */
  readonly firstOffset: number;
  /** The records that come where more are asked for than a page can have. */
  readonly fallbackLimit?: number;
  /** The header `Content-Type`. */
  readonly contentType?: string;
  /** The error of a URL that does not exist; null: one with a message only. */
  readonly unknownUrlCode: number | null;
  /** Whether a page of another site may read responses. */
  readonly opensToBrowsers?: boolean;
}

export const traits: Readonly<Record<Edition, Traits>> = {
  specification: { firstOffset: 1, unknownUrlCode: 10003 },
  current: {
    firstOffset: 0,
    fallbackLimit: 10,
    contentType: "application/json; charset=UTF-8",
    unknownUrlCode: null,
    // Closed in June 2026.
    opensToBrowsers: false,
  },
};

/** The issue about a field or member that only today's edition has. */
export const needsCurrent = "exists in the edition `current` only (option edition, esign:edition)";

const currentFields = new WeakSet<z.ZodType>();

/** Marks an optional field or member that only today's edition has. */
export function currentOnly<S extends z.ZodType>(schema: S): S {
  currentFields.add(schema);
  return schema;
}

/** The names in a shape that an edition does not have. */
export function namesBeyond(edition: Edition, shape: z.ZodRawShape): string[] {
  if (edition === "current") return [];
  return Object.keys(shape).filter((name) => currentFields.has(shape[name] as z.ZodType));
}
