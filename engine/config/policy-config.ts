/**
 * The configuration of a policy pack: the defaults of its policies, then its own, then that of a file.
 *
 * Used for: Configure of Analyzer, and the file of `--policy-pack-config`.
 */

import { z } from "zod";
import { readText } from "../../fs/optional-files";
import { withoutPrototypeKeys } from "../../fs/prototype-keys";
import { EngineError, messageOf } from "../errors";
import type { EnforcementLevel } from "../resource/policy-interface";
import { isObject } from "../resource/property-value";

const levels: readonly string[] = ["advisory", "mandatory", "remediate", "disabled"] satisfies EnforcementLevel[];

/** The description of a policy by its pack. */
export interface PolicyInfo {
  name: string;
  level: EnforcementLevel;
  /** JSON schemas of its properties. */
  properties: Record<string, Record<string, unknown>>;
  required: string[];
}

export interface PolicyConfig {
  level?: EnforcementLevel;
  properties: Record<string, unknown>;
}

export type PolicyConfigs = Record<string, PolicyConfig>;

/** Reads the file: by policy, or for `all`, a level or an object with `enforcementLevel` and the policy's own properties. */
export async function readPolicyConfigFile(file: string): Promise<PolicyConfigs> {
  const invalid = (problem: string): never => {
    throw new EngineError(`the policy configuration ${file}: ${problem}`, "invalid");
  };
  const text = await readText(file);
  if (text === undefined) return invalid("there is no such file");
  if (text.trim() === "") return {};
  let content: unknown;
  try {
    content = withoutPrototypeKeys(JSON.parse(text));
  } catch (error) {
    return invalid(`it is not valid JSON: ${messageOf(error)}`);
  }
  if (!isObject(content)) return invalid("it must be an object with the names of policies");
  if ("environments" in content) return invalid("environments are a service of Pulumi Cloud; use the Pulumi CLI");
  const configs: PolicyConfigs = {};
  for (const [name, value] of Object.entries(content)) {
    const { enforcementLevel: level, ...properties } = isObject(value) ? value : { enforcementLevel: value };
    if (!(level === undefined && isObject(value)) && !levels.includes(level as string))
      return invalid(`${name}: the enforcement level must be ${levels.join(", ")}, not ${JSON.stringify(level)}`);
    configs[name] = { ...(level !== undefined && { level: level as EnforcementLevel }), properties };
  }
  return configs;
}

/** The configuration of every policy, from the defaults to what overrides them. @throws EngineError for what the schemas reject */
export function mergePolicyConfig(
  pack: string,
  policies: readonly PolicyInfo[],
  overrides: readonly PolicyConfigs[],
): Record<string, Required<PolicyConfig>> {
  const names = policies.map(({ name }) => name);
  for (const name of overrides.flatMap(Object.keys))
    if (name !== "all" && !names.includes(name))
      throw new EngineError(
        `the policy pack ${pack} has no policy ${JSON.stringify(name)}; it has ${names.join(", ")}`,
        "invalid",
      );
  const problems: string[] = [];
  const merged = policies.map((policy): [string, Required<PolicyConfig>] => {
    const config = { level: policy.level, properties: defaultsOf(policy) };
    for (const { all, [policy.name]: own } of overrides) {
      config.level = own?.level ?? all?.level ?? config.level;
      Object.assign(config.properties, own?.properties);
    }
    problems.push(...problemsOf(policy, config.properties));
    return [policy.name, config];
  });
  if (problems.length > 0)
    throw new EngineError(
      `the configuration of the policy pack ${pack} is not valid:\n${problems.join("\n")}`,
      "invalid",
    );
  return Object.fromEntries(merged);
}

const defaultsOf = ({ properties }: PolicyInfo): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => ("default" in schema ? [[name, schema.default]] : [])),
  );

function problemsOf({ name, properties, required }: PolicyInfo, config: Record<string, unknown>): string[] {
  const schema = z.fromJSONSchema({ type: "object", properties, required });
  const { error } = schema.safeParse(config);
  return (error?.issues ?? []).map(({ path, message }) => `  ${[name, ...path].join(".")}: ${message}`);
}
