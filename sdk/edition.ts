/** Editions of the service's interface, and what requests may contain by edition: values, members, limits. */
import { z } from "zod";

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

/** What a parse of a request accepts. */
export interface ParseRules {
  /** Whose values, members and limits apply. */
  readonly edition: Edition;
  /** Whether a value is accepted that the specification does not have; `isListed` if today's edition is documented to have it. */
  allowsValue(value: string, isListed: boolean): boolean;
  /** Whether a value of a growing enum is accepted that looks like one which the service has since added. */
  readonly allowsNewValues: boolean;
  /** Whether members of structured fields are accepted that the edition does not know. */
  readonly allowsMembers: boolean;
  /** Whether something is accepted that is most likely a mistake. */
  allowsMistake(mistake: Mistake): boolean;
}

/** A required text of blanks only, a URL that ends like a file of another type, content of another type than its name. */
export type Mistake = "blankText" | "logoEnding" | "documentEnding" | "documentContent";

const specification: ParseRules = {
  edition: "specification",
  allowsValue: (_, isListed) => isListed,
  allowsNewValues: true,
  allowsMembers: false,
  allowsMistake: () => false,
};
let rules = specification;

/** The rules of the parse in progress. */
export const parseRules = (): ParseRules => rules;

/** Rules under which anything unknown is accepted. */
export const anyUnknown: Omit<ParseRules, "edition"> = {
  allowsValue: () => true,
  allowsNewValues: true,
  allowsMembers: true,
  allowsMistake: (mistake) => mistake === "logoEnding" || mistake === "documentEnding",
};

/** Runs a parse under other rules than the specification's. The parse must be synchronous. */
export function parseWith<T>(others: Partial<ParseRules>, parse: () => T): T {
  rules = { ...specification, ...others };
  try {
    return parse();
  } finally {
    rules = specification;
  }
}

/** The issue about a field or member that only today's edition has. */
export const needsCurrent = "exists in the edition `current` only (option edition, esign:edition)";

const currentFields = new WeakSet<z.ZodType>();

/** Marks an optional field or member that only today's edition has. */
export function currentOnly<S extends z.ZodType>(schema: S): S {
  currentFields.add(schema);
  return schema;
}

/** A field that may be null in today's edition only: form fields cannot. */
export function currentNull<S extends z.ZodType>(schema: S) {
  return z.nullable(schema).superRefine((value, ctx) => {
    if (value !== null || rules.edition === "current") return;
    ctx.addIssue({ code: "custom", message: "cannot be null in the edition `specification`, whose bodies are forms" });
  });
}

/** The names in a shape that an edition does not have. */
export function namesBeyond(edition: Edition, shape: z.ZodRawShape): string[] {
  if (edition === "current") return [];
  return Object.keys(shape).filter((name) => currentFields.has(shape[name] as z.ZodType));
}
