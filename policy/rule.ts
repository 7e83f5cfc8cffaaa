/** What a policy rule is, and what it checks: one definition for the pack, for `esign lint` and for the reference. */
import { z } from "zod";
import type { LoadedEmail } from "../account-folder/folder/load";
import type { ResourceKind } from "../account-folder/kinds/config-kind";
import type { SourceLocation } from "../account-folder/template/source-map";

/** `mandatory`: stops an update before the resource is touched. `advisory`: is reported. */
export const enforcementLevels = ["advisory", "mandatory", "disabled"] as const;
export type EnforcementLevel = (typeof enforcementLevels)[number];

/** What rules check: resources, and the configuration of a stack as its files have it. */
export type SubjectKind = ResourceKind | "Configuration";

/** A resource as a program or a folder declares it. */
export interface Subject {
  kind: SubjectKind;
  name: string;
  /** Its arguments; without those that are not known yet. */
  args: Readonly<Record<string, unknown>>;
  /** The stack; undefined for files that serve all of them. */
  stack?: string | undefined;
  /** An email template that was read from files, with the locations of its texts. */
  email?: LoadedEmail;
}

/** Never has a value in it: that may be secret. */
export interface Violation {
  /** The argument. */
  field: string;
  /** What is wrong: a clause without a full stop. */
  message: string;
  /** What to do about it: likewise. */
  fix: string;
  /** In the field's text, or in the file that it is from. */
  place?: SourceLocation;
}

/** The configuration that all rules have. */
const common = {
  except: z
    .array(z.string())
    .default([])
    .describe("Names of resources, or of settings, that may violate it; `*` matches anything"),
};

export interface PolicyRule {
  name: string;
  /** What it requires: one or two imperative sentences. */
  description: string;
  /** How a violation counts unless the configuration says otherwise. */
  enforcementLevel: EnforcementLevel;
  kinds: readonly SubjectKind[];
  configSchema: z.ZodObject;
  /** @param config the output of the schema */
  check: (subject: Subject, config: never) => Iterable<Violation>;
}

/** Defines a rule; its configuration is what `config` has, and `except`. */
export function defineRule<C extends z.ZodRawShape>({
  config,
  check,
  ...rule
}: Omit<PolicyRule, "configSchema" | "check"> & {
  config: C;
  check: (subject: Subject, config: z.output<z.ZodObject<C>>) => Iterable<Violation>;
}) {
  return { ...rule, configSchema: z.strictObject({ ...config, ...common }), check };
}

/** The violations of a rule, exceptions excluded. @param config the output of its schema */
export function checkSubject(rule: PolicyRule, subject: Subject, config: Record<string, unknown>): Violation[] {
  const { except } = config as { except: string[] };
  if (!rule.kinds.includes(subject.kind) || matchesAny(except, subject.name)) return [];
  const violations = [...rule.check(subject, config as never)];
  // The settings of a configuration are what has a name there.
  const isExcepted = ({ field }: Violation) =>
    [field, field.replace(/[.[].*$/s, "")].some((name) => matchesAny(except, name));
  return subject.kind === "Configuration" ? violations.filter((each) => !isExcepted(each)) : violations;
}

/** True if a pattern matches the whole name; `*` matches anything, letter case is ignored. */
export function matchesAny(patterns: readonly string[], name: string): boolean {
  const text = name.toLowerCase();
  return patterns.some((pattern) => matches(pattern.toLowerCase(), text));
}

/** Part by part, each at its first place: a regular expression would try all of them, and a fork writes the patterns. */
function matches(pattern: string, text: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
