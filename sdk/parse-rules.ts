/** What a parse of a request accepts: values, members and limits of an edition, and mistakes. */
import { z } from "zod";
import type { Edition } from "./edition";

/** What a parse of a request accepts. */
export interface ParseRules {
  /** Whose values, members and limits apply. */
  readonly edition: Edition;
  /** Whether a value is accepted that the specification does not have; `isListed` if today's edition is documented to have it. */
  allowsValue(value: string, isListed: boolean): boolean;
  /** Whether a value of a growing enum is accepted that looks like one which the service has since added. */
  readonly allowsNewValues: boolean;
  /** Whether something is accepted that is most likely a mistake. */
  allowsMistake(mistake: Mistake): boolean;
  /** What makes it accept that, as the end of the message about it; empty if nothing does. */
  remedyOf(mistake: Mistake): string;
}

/**
 * A required text of blanks only; a URL that ends like a file of another type; content of another type than its name; members of structured
 * fields that the edition does not know; another role of a party in a file document than the documented ones.
 */
export type Mistake =
  | "blankText"
  | "logoEnding"
  | "documentEnding"
  | "documentContent"
  | "unknownMembers"
  | "plainRoles";

/** What a caller of the client may know better. */
const liftable: readonly Mistake[] = ["logoEnding", "documentEnding", "unknownMembers", "plainRoles"];

const specification: ParseRules = {
  edition: "specification",
  allowsValue: (_, isListed) => isListed,
  allowsNewValues: true,
  allowsMistake: () => false,
  remedyOf: (mistake) => (liftable.includes(mistake) ? " (allowUnknownValues lets it pass)" : ""),
};

/** Not an argument: zod passes nothing from a parse to the checks in its schemas. */
let rules = specification;

/** The rules of the parse in progress; without {@link parseWith} those of the specification. */
export const parseRules = (): ParseRules => rules;

/** Rules under which anything unknown is accepted. */
export const anyUnknown: Omit<ParseRules, "edition"> = {
  allowsValue: () => true,
  allowsNewValues: true,
  allowsMistake: (mistake) => liftable.includes(mistake),
  remedyOf: () => "",
};

/** The message about a mistake, with what makes the parse in progress accept it. */
export const mistakeMessage = (mistake: Mistake, rule: string): string => rule + rules.remedyOf(mistake);

/** Runs a parse under other rules than the specification's. The parse must be synchronous. */
export function parseWith<T>(others: Partial<ParseRules>, parse: () => T): T {
  const before = rules;
  rules = { ...specification, ...others };
  try {
    return parse();
  } finally {
    rules = before;
  }
}

/** A field that may be null in today's edition only: form fields cannot. */
export function currentNull<S extends z.ZodType>(schema: S) {
  return z.nullable(schema).superRefine((value, ctx) => {
    if (value !== null || rules.edition === "current") return;
    ctx.addIssue({ code: "custom", message: "cannot be null in the edition `specification`, whose bodies are forms" });
  });
}
