/** The policies and their settings. */
import { z } from "zod";
import { policies as rules } from "../../rules/registry";
import { levelOf } from "../../rules/rule-configuration";
import { code, list, table } from "./markdown";

interface Setting {
  description?: string;
  default?: unknown;
}

const settingsOf = (schema: z.ZodObject): [string, Setting][] =>
  Object.entries(z.toJSONSchema(schema, { io: "input" }).properties as Record<string, Setting>);

export function policies(): string {
  const rows = rules.map(({ name, severity, kinds, description }) => [
    code(name),
    levelOf(severity),
    list(kinds),
    description,
  ]);
  return table(["policy", "default level", "of", "what it requires"], rows);
}

export function policySettings(): string {
  const [first] = rules;
  const except = settingsOf(first!.configSchema).filter(([setting]) => setting === "except");
  const own = rules.flatMap(({ name, configSchema }) =>
    settingsOf(configSchema)
      .filter(([setting]) => setting !== "except")
      .map((setting) => [code(name), setting] as const),
  );
  const rows = [...except.map((setting) => ["all", setting] as const), ...own];
  return table(
    ["policy", "setting", "default", "meaning"],
    rows.map(([policy, [name, { default: standard, description }]]) => {
      if (description === undefined) throw new Error(`the setting ${name} of ${policy} has no meaning`);
      return [policy, code(name), standard === undefined ? "" : code(JSON.stringify(standard)), `${description}.`];
    }),
  );
}
