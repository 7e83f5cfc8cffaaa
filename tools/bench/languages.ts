/**
 * The same webhooks on the Pulumi CLI, in a program of dynamic resources (JavaScript) and in one of the plugin's (YAML), and with Terraform
 * and a generic REST provider, where that is found (see `_terraform.ts`): CPU time of all that a command starts. The service is in this process.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Contender, compare, contenders, type Phase, phases, ratiosOf } from "./_contenders";

const counts = [10, 100];
/** CPU of the plugin's program: of that of the dynamic one. A refresh runs no program: there the CLI itself is most of both. */
const limits: Partial<Record<Phase, number>> = { create: 0.65, "no change": 0.5, refresh: 0.8 };

const { dynamic, plugin, terraform } = contenders;
const compared: Record<string, Contender> = { dynamic, plugin, ...(terraform.isFound && { terraform }) };
const directory = mkdtempSync(join(tmpdir(), "bench-languages-"));

async function main(): Promise<void> {
  if (!dynamic.isFound || !plugin.isFound) {
    console.log("Not measured: it needs the Pulumi CLI with the language hosts of YAML and Node on PATH.");
    return;
  }
  if (!terraform.isFound) console.log("Without Terraform: TERRAFORM_PLUGINS names no folder of plugins.");
  for (const count of counts) {
    const seconds = await compare(compared, directory, { count, latency: 0, cost: "cpu" });
    const ratios = ratiosOf("plugin", Object.keys(compared), seconds);
    const ok = phases.every((phase) => ratios[phase].dynamic! <= (limits[phase] ?? Number.POSITIVE_INFINITY));
    console.log(JSON.stringify({ bench: "languages", webhooks: count, pluginTo: ratios, limits, ok }));
    if (!ok) process.exitCode = 1;
  }
}

void main().finally(() => rmSync(directory, { recursive: true, force: true }));
