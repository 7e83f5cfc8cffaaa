import { z } from "zod";
import { matchesAny } from "../../name-patterns";
import { policy } from "../../rule";
import { secretSettings } from "../../secret-settings";
import { valuesInClear } from "../../values-in-clear";

export const noPlaintextKey = policy({
  name: "no-plaintext-key",
  description: "Encrypt API keys and other secrets in the configuration of stacks.",
  severity: "error",
  kinds: ["Configuration"],
  config: {
    settings: z
      .array(z.string())
      .default([...secretSettings])
      .describe(
        "Names of settings that must be encrypted, also inside objects, lists, JSON, URLs and base64; `*` matches anything",
      ),
    project: z
      .string()
      .optional()
      .describe("The folder of Pulumi.yaml, for a pack that is not started from the project; relative to the pack"),
  },
  /** The arguments are the settings in clear. */
  *check({ args, name, stack }, { settings }) {
    const reported = new Set<string>();
    for (const { path: field, names, value } of valuesInClear(args)) {
      // A switch is no secret.
      if (value === "" || typeof value === "boolean" || reported.has(field)) continue;
      if (![field, ...names].some((setting) => matchesAny(settings, setting))) continue;
      reported.add(field);
      yield {
        field,
        message: `${field} is in clear in ${name}`,
        fix: `${remedy(field, name, stack)}, and rotate the key if the file was committed or shared`,
      };
    }
  },
});

/** What the project's file has is in clear for every stack, whatever a stack has. */
function remedy(field: string, file: string, stack: string | undefined): string {
  const command = `esign config set --secret ${/[.[]/.test(field) ? "--path " : ""}${field} --stack`;
  return stack === undefined
    ? `remove it from ${file}, run \`${command} <stack>\` for each stack that needs it`
    : `run \`${command} ${stack}\``;
}
