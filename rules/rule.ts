/** What a rule is, and what it checks: one definition for `esign lint`, for a pack of @pulumi/policy and for the reference. */
import { z } from "zod";
import type { Severity } from "../account-folder/finding";
import type { SourceLocation } from "../account-folder/placeholders/source-map";
import type { ResourceKind } from "../definitions/model";
import type { EmailTexts } from "./email-texts";
import { matchesAny } from "./name-patterns";

/** What rules check: resources, and the configuration of a stack as its files have it. */
export type SubjectKind = ResourceKind | "Configuration";

interface Declared<K extends SubjectKind> {
  kind: K;
  name: string;
  /** Its arguments; without those that are not known yet. */
  args: Readonly<Record<string, unknown>>;
  /** The stack; undefined for files that serve all of them. */
  stack?: string | undefined;
}

/**
 * A resource as a program or a folder declares it. An email template has its texts with their locations.
 * @internal Types of users do not need what reads HTML.
 */
export type Subject<K extends SubjectKind = SubjectKind> = K extends "BrandingEmail"
  ? Declared<K> & { texts: EmailTexts }
  : Declared<K>;

/** Never has a value in it that may be secret. */
export type Violation = {
  /** What is wrong: a clause without a full stop. */
  message: string;
  /** What to do about it: likewise. */
  fix: string;
} & (
  | {
      /** The argument. */
      field: string;
      place?: never;
    }
  | {
      /** In a text, or in the file that it is from. */
      place: SourceLocation;
      field?: never;
    }
);

export interface Rule {
  name: string;
  /** What it requires: one or two imperative sentences. */
  description: string;
  /** How a violation counts unless the configuration says otherwise. */
  severity: Severity;
  /** A policy is checked where policies are configured, or a pack is used. `esign lint` checks every other rule, too. */
  isPolicy: boolean;
  kinds: readonly SubjectKind[];
  configSchema: z.ZodObject;
  /** @param config the output of the schema */
  check: (subject: never, config: never) => Iterable<Violation>;
}

/** The configuration that all rules have. */
const common = {
  except: z
    .array(z.string())
    .default([])
    .describe("Names of resources, or of settings, that may violate it; `*` matches anything"),
};

interface Definition<N extends string, K extends SubjectKind, C extends z.ZodRawShape>
  extends Pick<Rule, "description" | "severity"> {
  name: N;
  kinds: readonly K[];
  config?: C;
  check: (subject: Subject<K>, config: z.output<z.ZodObject<C>>) => Iterable<Violation>;
}

/** A rule with the types of its name and its configuration. */
export interface DefinedRule<N extends string, C extends z.ZodRawShape> extends Rule {
  name: N;
  configSchema: z.ZodObject<C & typeof common, z.core.$strict>;
}

/**
 * Defines a rule that `esign lint` always checks; its configuration is what `config` has, and `except`.
 * @internal
 */
export const lintRule = <const N extends string, K extends SubjectKind, C extends z.ZodRawShape = Record<never, never>>(
  definition: Definition<N, K, C>,
) => defineRule(definition, false);

/**
 * Defines a policy; likewise.
 * @internal
 */
export const policy = <const N extends string, K extends SubjectKind, C extends z.ZodRawShape = Record<never, never>>(
  definition: Definition<N, K, C>,
) => defineRule(definition, true);

const defineRule = <N extends string, K extends SubjectKind, C extends z.ZodRawShape>(
  { config, ...rule }: Definition<N, K, C>,
  isPolicy: boolean,
): DefinedRule<N, C> => ({ ...rule, isPolicy, configSchema: z.strictObject({ ...(config as C), ...common }) });

/**
 * The violations of a rule, exceptions excluded.
 * @param config the output of its schema
 * @internal
 */
export function checkSubject(rule: Rule, subject: Subject, config: Record<string, unknown>): Iterable<Violation> {
  const { except } = config as { except: string[] };
  if (!rule.kinds.includes(subject.kind) || matchesAny(except, subject.name)) return [];
  const violations = rule.check(subject as never, config as never);
  // The settings of a configuration are what has a name there.
  return subject.kind === "Configuration"
    ? [...violations].filter(({ field = "" }) => !namesOf(field).some((name) => matchesAny(except, name)))
    : violations;
}

const namesOf = (setting: string): string[] => [setting, setting.replace(/[.[].*$/s, "")];
