/**
 * The built-in engine for Pulumi's Automation API: without an installed Pulumi CLI, and for programs in the same process.
 *
 * @example
 *     import { LocalWorkspace } from "@pulumi/pulumi/automation";
 *     import { engineCommand } from "pulumi-esign/automation";
 *
 *     const stack = await LocalWorkspace.createOrSelectStack(
 *       { projectName: "customers", stackName: "acme", program },
 *       { pulumiCommand: await engineCommand(), envVars: { PULUMI_BACKEND_URL: "file:///var/lib/states" } },
 *     );
 *     await stack.up();
 */
import type { PulumiCommand } from "@pulumi/pulumi/automation";
import { isMissingSdk, missingSdk } from "../../provider/core/pulumi-sdk";

/** A folder for `PulumiCommand.get({ root })`, also in other languages: the command is `bin/pulumi` in it. */
export const engineRoot = __dirname;

/**
 * The built-in engine as the command of a workspace: for the option `pulumiCommand`.
 *
 * Supports file backends, passphrases, Node programs and dynamic resources. What else a program asks for is rejected before
 * anything changes.
 */
export async function engineCommand(): Promise<PulumiCommand> {
  const automation = await import("@pulumi/pulumi/automation/index.js").catch((cause) => {
    if (!isMissingSdk(cause)) throw cause;
    throw new Error(missingSdk("pulumi-esign/automation"), { cause });
  });
  return automation.PulumiCommand.get({ root: engineRoot });
}
