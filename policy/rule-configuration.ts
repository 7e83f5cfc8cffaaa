/**
 * The configuration of the rules, in the form of a policy pack's: by rule, or for `all`, a level or an object with
 * `enforcementLevel` and what the rule's schema has.
 */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { withoutPrototypeKeys } from "../fs/prototype-keys";
import { didYouMean } from "../sdk/text/did-you-mean";
import type { EnforcementLevel, PolicyRule } from "./rule";
import { enforcementLevels } from "./rule";
import { type ruleDefinitions, rules } from "./rules";

type Level = EnforcementLevel | "remediate";
type Definitions = (typeof ruleDefinitions)[number];

/** What a user writes. */
export type PolicyConfig = { all?: Level } & {
  [R in Definitions as R["name"]]?: Level | ({ enforcementLevel?: Level } & z.input<R["configSchema"]>);
};

/** A rule with its configuration. */
export interface ConfiguredRule {
  rule: PolicyRule;
  level: EnforcementLevel;
  /** The output of the rule's schema. */
  config: Record<string, unknown>;
}

export interface ConfigIssue {
  path: string[];
  message: string;
  fix: string;
}

const allLevels: readonly Level[] = [...enforcementLevels, "remediate"];
const level = z.enum(allLevels, `must be ${allLevels.join(", ")}`);

const configOf = ({ configSchema }: PolicyRule) =>
  z
    .preprocess(
      (value) => (typeof value === "string" ? { enforcementLevel: value } : value),
      configSchema.extend({ enforcementLevel: level.optional() }),
    )
    .optional();

const schema = z.strictObject({
  all: level.optional(),
  ...Object.fromEntries(rules.map((rule) => [rule.name, configOf(rule)])),
});

/** The rules with their configuration; or what is wrong with it. */
export function configureRules(config: unknown): { rules: ConfiguredRule[]; issues: ConfigIssue[] } {
  const { data, error } = schema.safeParse(config);
  if (error) return { rules: [], issues: error.issues.flatMap(explain) };
  const { all, ...byRule } = data as { all?: Level } & Record<string, { enforcementLevel?: Level } | undefined>;
  return {
    issues: [],
    rules: rules.map((rule) => {
      const { enforcementLevel: own = all ?? rule.enforcementLevel, ...rest } = byRule[rule.name] ?? {};
      // There is nothing that these rules could change by themselves.
      const level = own === "remediate" ? "mandatory" : own;
      return { rule, level, config: rule.configSchema.parse(rest) };
    }),
  };
}

/** The rules as a file of `--policy-pack-config` configures them. @throws Error with everything that is wrong with it */
export function readPolicies(file: string): ConfiguredRule[] {
  let config: unknown;
  try {
    config = withoutPrototypeKeys(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new Error(`the policy configuration ${file} cannot be read: ${(error as Error).message}`);
  }
  return assertConfigured(config, `the policy configuration ${file}`);
}

/** @throws Error with everything that is wrong with the configuration */
export function assertConfigured(config: unknown, what: string): ConfiguredRule[] {
  const { rules: configured, issues } = configureRules(config);
  const lines = issues.map(({ path, message, fix }) => `  ${path.join(".")}: ${message}; ${fix}`);
  if (lines.length > 0) throw new Error([`${what} is not valid:`, ...lines].join("\n"));
  return configured;
}

function explain(issue: z.core.$ZodIssue): ConfigIssue[] {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys")
    return [{ path, message: issue.message, fix: "see docs/reference/policies.md" }];
  const [name] = path;
  const rule = rules.find((each) => each.name === name);
  const names = rule
    ? ["enforcementLevel", ...Object.keys(rule.configSchema.shape)]
    : ["all", ...rules.map((each) => each.name)];
  return issue.keys.map((key) => ({
    path: [...path, key],
    message: `unknown ${rule ? "setting" : "policy"} "${key}"${didYouMean(key, names)}`,
    fix: `use ${names.join(", ")}`,
  }));
}
