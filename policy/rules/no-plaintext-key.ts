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
    for (const [field, value] of Object.entries(args)) {
      if (value === "" || !matchesAny(settings, field)) continue;
      yield {
        field,
        message: `${field} is in clear in ${name}`,
        fix: `run \`esign config set --secret ${field}\`, and rotate the key if the file was committed or shared`,
      };
    }
  },
});
