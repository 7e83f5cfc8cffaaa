/**
 * The configuration of the rules, in the form of a policy pack's: by rule, or for `all`, a level or an object with
 * `enforcementLevel` and what the rule's schema has.
 */

import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Severity } from "../account-folder/finding";
import { withoutPrototypeKeys } from "../fs/prototype-keys";
import { didYouMean } from "../sdk/text/did-you-mean";
import { policies, type ruleDefinitions, rules } from "./registry";
import type { Rule } from "./rule";

/** The severities by the names that Pulumi has for them. No rule changes a resource: `remediate` is `mandatory`. */
const severities = { advisory: "warning", mandatory: "error", disabled: "off", remediate: "error" } as const;
const levels = { warning: "advisory", error: "mandatory", off: "disabled" } as const;

type Level = keyof typeof severities;
type Definitions = (typeof ruleDefinitions)[number];

/** `mandatory`: stops an update before the resource is touched. `advisory`: is reported. */
export type EnforcementLevel = (typeof levels)[keyof typeof levels];

/** What a user writes. Policies are checked without it, too; other rules if they are named here. */
export type PolicyConfig = { all?: Level } & {
  [R in Definitions as R["name"]]?: Level | ({ enforcementLevel?: Level } & z.input<R["configSchema"]>);
};

/** A rule with its configuration. */
export interface ConfiguredRule {
  rule: Rule;
  severity: Severity | "off";
  /** The output of the rule's schema. */
  config: Record<string, unknown>;
}

export const levelOf = (severity: Severity | "off"): EnforcementLevel => levels[severity];

export interface ConfigIssue {
  path: string[];
  message: string;
  fix: string;
}

const allLevels = ["advisory", "mandatory", "disabled", "remediate"] as const satisfies readonly Level[];
const level = z.enum(allLevels, `must be ${allLevels.join(", ")}`);

const configOf = ({ configSchema }: Rule) =>
  z
    .preprocess(
      (value) => (typeof value === "string" ? { enforcementLevel: value } : value),
      configSchema.extend({ enforcementLevel: level.optional() }),
    )
    .optional();

const schemaOf = () =>
  z.strictObject({
    all: level.optional(),
    ...Object.fromEntries(rules.map((rule) => [rule.name, configOf(rule)])),
  });
let schema: ReturnType<typeof schemaOf> | undefined;

/** The policies, and the other rules that are named, with their configuration; or what is wrong with it. */
export function configureRules(config: unknown): { rules: ConfiguredRule[]; issues: ConfigIssue[] } {
  schema ??= schemaOf();
  const { data, error } = schema.safeParse(config);
  if (error) return { rules: [], issues: error.issues.flatMap(explain) };
  const { all, ...byRule } = data as { all?: Level } & Record<string, { enforcementLevel?: Level } | undefined>;
  return {
    issues: [],
    rules: rules
      .filter(({ name, isPolicy }) => isPolicy || byRule[name] !== undefined)
      .map((rule) => {
        const { enforcementLevel = all, ...config } = byRule[rule.name] ?? {};
        return withDefaults(rule, config, enforcementLevel && severities[enforcementLevel]);
      }),
  };
}

/** A rule with the defaults of what is not configured. */
export const withDefaults = (rule: Rule, config = {}, severity: ConfiguredRule["severity"] = rule.severity) => ({
  rule,
  severity,
  config: rule.configSchema.parse(config),
});

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
  const settings = rule && ["enforcementLevel", ...Object.keys(rule.configSchema.shape)];
  const names = settings ?? ["all", ...rules.map((each) => each.name)];
  return issue.keys.map((key) => ({
    path: [...path, key],
    message: `unknown ${rule ? "setting" : "policy"} "${key}"${didYouMean(key, names)}`,
    fix: `use ${settings?.join(", ") ?? `all, ${policies.map((each) => each.name).join(", ")}, or a rule of lint`}`,
  }));
}
