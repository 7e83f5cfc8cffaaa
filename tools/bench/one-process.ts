/**
 * Programs in YAML on the built-in engine, which are one process, beside those in JavaScript and TypeScript, which are two, a script, and Terraform with a REST
 * provider where that is found: CPU time of all that a command starts. The service is in this process.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Contender, compare, contenders, type Phase, phases, ratiosOf } from "./_contenders";

const counts = [10, 100];
/** CPU of the YAML program: of that of the program in JavaScript. A refresh and a destroy run neither, and are the same. */
const limits: Record<Phase, number> = { create: 0.8, "no change": 0.8, update: 0.8, refresh: 1.3, destroy: 1.3 };

const { script, yaml, typescript, terraform, "built-in": javascript } = contenders;
const compared: Record<string, Contender> = {
  yaml,
  javascript,
  typescript,
  script,
  ...(terraform.isFound && { terraform }),
};
const directory = mkdtempSync(join(tmpdir(), "bench-one-process-"));

async function main(): Promise<void> {
  if (!terraform.isFound) console.log("Without Terraform: TERRAFORM_PLUGINS names no folder of plugins.");
  for (const count of counts) {
    const seconds = await compare(compared, directory, { count, latency: 20, cost: "cpu" });
    const ratios = ratiosOf("yaml", Object.keys(compared), seconds);
    const ok = phases.every((phase) => ratios[phase].javascript! <= limits[phase]);
    console.log(JSON.stringify({ bench: "one-process", webhooks: count, yamlTo: ratios, limits, ok }));
    if (!ok) process.exitCode = 1;
  }
}

void main().finally(() => rmSync(directory, { recursive: true, force: true }));
