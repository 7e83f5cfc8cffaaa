/** The type of a rule and of what it checks. `esign lint`, packs of @pulumi/policy and the reference all use the same rules. */
import { z } from "zod";
import type { Severity } from "../account-folder/finding";
import type { SourceLocation } from "../account-folder/placeholders/source-map";
import type { ResourceKind } from "../definitions/model";
import type { EmailTexts } from "./email-texts";
import { matchesAny } from "./name-patterns";

/** Rules check resources, and a stack's configuration as its files have it. */
export type SubjectKind = ResourceKind | "Configuration";

interface Declared<K extends SubjectKind> {
  kind: K;
  name: string;
  /** Arguments by name, without those whose value is not known yet. */
  args: Readonly<Record<string, unknown>>;
  /** Name of the stack; undefined for files that all stacks use. */
  stack?: string | undefined;
}

/**
 * A resource as a program or a folder declares it. For an email template, with its texts and their locations.
 * @internal The types for users do not include what parses HTML.
 */
export type Subject<K extends SubjectKind = SubjectKind> = K extends "BrandingEmail"
  ? Declared<K> & { texts: EmailTexts }
  : Declared<K>;

/** Contains no value that may be secret. */
export type Violation = {
  /** What is wrong: a clause without a full stop. */
  message: string;
  /** What to do about it: a clause without a full stop. */
  fix: string;
} & (
  | {
      /** Name of the argument. */
      field: string;
      place?: never;
    }
  | {
      /** Location in a text, or in the file that the text comes from. */
      place: SourceLocation;
      field?: never;
    }
);

export interface Rule {
  name: string;
  /** What the rule requires: one or two imperative sentences. */
  description: string;
  /** Severity of a violation, unless the configuration sets another one. */
  severity: Severity;
  /**
   * True for a policy: it is checked only where policies are configured or a pack is used. `esign lint` always checks all other rules.
   */
  isPolicy: boolean;
  kinds: readonly SubjectKind[];
  configSchema: z.ZodObject;
  /** @param config the parsed configuration */
  check: (subject: never, config: never) => Iterable<Violation>;
}

/** Configuration that every rule has. */
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

/** A rule, with the types of its name and its configuration. */
export interface DefinedRule<N extends string, C extends z.ZodRawShape> extends Rule {
  name: N;
  configSchema: z.ZodObject<C & typeof common, z.core.$strict>;
}

/**
 * Defines a rule that `esign lint` always checks. Its configuration has the members of `config` and `except`.
 * @internal
 */
export const lintRule = <const N extends string, K extends SubjectKind, C extends z.ZodRawShape = Record<never, never>>(
  definition: Definition<N, K, C>,
) => defineRule(definition, false);

/**
 * Defines a policy. Its configuration has the members of `config` and `except`.
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
 * The violations of a rule, without those that `except` allows.
 * @param config the parsed configuration
 * @internal
 */
export function checkSubject(rule: Rule, subject: Subject, config: Record<string, unknown>): Iterable<Violation> {
  const { except } = config as { except: string[] };
  if (!rule.kinds.includes(subject.kind) || matchesAny(except, subject.name)) return [];
  const violations = rule.check(subject as never, config as never);
  // In a configuration, the names for `except` are those of settings.
  return subject.kind === "Configuration"
    ? [...violations].filter(({ field = "" }) => !namesOf(field).some((name) => matchesAny(except, name)))
    : violations;
}

const namesOf = (setting: string): string[] => [setting, setting.replace(/[.[].*$/s, "")];
