import { z } from "zod";
import { defineRule, matchesAny } from "../rule";

export const noPlaintextKey = defineRule({
  name: "no-plaintext-key",
  description: "Encrypt API keys and other secrets in the configuration of stacks.",
  enforcementLevel: "mandatory",
  kinds: ["Configuration"],
  config: {
    settings: z
      .array(z.string())
      .default(["*apiKey", "*api_key", "*api-key", "*secret", "*token", "*password"])
      .describe("Names of settings that must be encrypted; `*` matches anything"),
    project: z
      .string()
      .optional()
      .describe("The folder of Pulumi.yaml, for a pack that is not started from the project; relative to the pack"),
  },
  /** The arguments are the settings in clear. */
  *check({ args, name }, { settings }) {
    for (const { path: field, names, value } of valuesIn(args)) {
      // A switch is no secret.
      if (value === "" || typeof value === "boolean") continue;
      if (![field, ...names].some((setting) => matchesAny(settings, setting))) continue;
      yield {
        field,
        message: `${field} is in clear in ${name}`,
        fix: `run \`esign config set --secret ${/[.[]/.test(field) ? "--path " : ""}${field}\`, and rotate the key if the file was committed or shared`,
      };
    }
  },
});

interface ClearValue {
  /** As `config set --path` takes it: `shop:values.apiKey`, `shop:keys[0].token`. */
  path: string;
  /** The names on the path: what is below the name of a secret is secret, too. */
  names: string[];
  value: unknown;
}

/** All values in clear, also those in lists and objects. */
function valuesIn(value: unknown, path = "", names: string[] = []): ClearValue[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object") return [{ path, names, value }];
  const members = value as Record<string, unknown>;
  if (typeof members.secure === "string" && Object.keys(members).length === 1) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => valuesIn(item, `${path}[${index}]`, names));
  // In `{ name: apiKey, value: … }` the name is a member.
  const label = [members.name, members.key].filter((each) => typeof each === "string");
  return Object.entries(members).flatMap(([name, inner]) =>
    valuesIn(inner, path === "" ? name : `${path}.${name}`, [...names, name, ...(name === "value" ? label : [])]),
  );
}
