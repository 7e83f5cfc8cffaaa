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

/** Not an argument: zod passes nothing from a parse to the checks in its schemas. */
let rules = specification;

/** The rules of the parse in progress; without {@link parseWith} those of the specification. */
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
