/**
 * The same webhooks on the Pulumi CLI, in a program of dynamic resources (JavaScript) and in one of the plugin's (YAML), and with Terraform
 * and a generic REST provider, where that is found (see `_terraform.ts`): CPU time of all that a command starts. The service is in this process.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Contender, contenders, live, type Phase, phases } from "./_contenders";
import { undisturbed } from "./_cpu";

const counts = [10, 100];
const rounds = Number(process.env.ROUNDS ?? 3);
/** CPU of the plugin's program: of that of the dynamic one. A refresh runs no program: there the CLI itself is most of both. */
const limits: Partial<Record<Phase, number>> = { create: 0.65, "no change": 0.5, refresh: 0.8 };

const { dynamic, plugin, terraform } = contenders;
const compared: Record<string, Contender> = { dynamic, plugin, ...(terraform.isFound && { terraform }) };
const directory = mkdtempSync(join(tmpdir(), "bench-languages-"));

/** Seconds of CPU of each contender and phase. */
async function measure(count: number): Promise<(name: string, phase: Phase) => number> {
  const costs = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++)
    for (const [name, contender] of Object.entries(compared)) {
      const life = await live(contender, join(directory, `${name}-${count}-${round}`), { count, latency: 0 });
      for (const phase of phases)
        costs.set(`${name} ${phase}`, [...(costs.get(`${name} ${phase}`) ?? []), life[phase].cpu]);
    }
  return (name, phase) => undisturbed(costs.get(`${name} ${phase}`)!);
}

async function main(): Promise<void> {
  if (!dynamic.isFound || !plugin.isFound) {
    console.log("Not measured: it needs the Pulumi CLI with the language hosts of YAML and Node on PATH.");
    return;
  }
  const names = Object.keys(compared);
  if (!terraform.isFound) console.log("Without Terraform: TERRAFORM_PLUGINS names no folder of plugins.");
  for (const count of counts) {
    const secondsOf = await measure(count);
    console.log(`${String(count).padEnd(11)}${names.map((name) => name.padStart(10)).join("")}   s CPU`);
    const ratios: Partial<Record<Phase, Record<string, number>>> = {};
    for (const phase of phases) {
      console.log(`${phase.padEnd(11)}${names.map((name) => secondsOf(name, phase).toFixed(2).padStart(10)).join("")}`);
      const others = names.filter((name) => name !== "plugin");
      const ratioTo = (name: string) => Number((secondsOf("plugin", phase) / secondsOf(name, phase)).toFixed(2));
      ratios[phase] = Object.fromEntries(others.map((name) => [name, ratioTo(name)]));
    }
    const ok = phases.every((phase) => ratios[phase]!.dynamic! <= (limits[phase] ?? Number.POSITIVE_INFINITY));
    console.log(JSON.stringify({ bench: "languages", webhooks: count, pluginTo: ratios, limits, ok }));
    if (!ok) process.exitCode = 1;
  }
}

void main().finally(() => rmSync(directory, { recursive: true, force: true }));
