/**
 * How long each phase of an account's life takes with the built-in engine, beside a script, a provider that does nothing on either engine
 * ("idle": what is left is the engine's, the SDK's and Node's), and Terraform with a REST provider where that is found: as ratios, with 20 ms for
 * each response. For machines that do nothing else: what else runs counts.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Contender, compare, contenders, type Phase, phases, ratiosOf } from "./_contenders";

const counts = [10, 100];
/**
 * Wall time of the built-in engine: at ten, of that of the script; at a hundred, of that of Terraform. What was measured on a fast
 * machine, and a quarter: the script is hardly more than the start of Node, and on a slower one the ratios are lower.
 */
const limits: Record<Phase, { script: number; terraform: number }> = {
  create: { script: 9, terraform: 2.2 },
  "no change": { script: 8, terraform: 2.2 },
  update: { script: 9, terraform: 1.4 },
  refresh: { script: 5, terraform: 1.3 },
  destroy: { script: 5.5, terraform: 1 },
};

const directory = mkdtempSync(join(tmpdir(), "bench-phases-"));

async function main(): Promise<void> {
  const found = Object.fromEntries(Object.entries<Contender>(contenders).filter(([, { isFound }]) => isFound));
  if (found.terraform === undefined) console.log("Without Terraform: TERRAFORM_PLUGINS names no folder of plugins.");
  for (const count of counts) {
    const seconds = await compare(found, directory, { count, latency: 20, cost: "wall" });
    const ratios = ratiosOf("built-in", Object.keys(found), seconds);
    const ok = phases.every((phase) =>
      count === 10
        ? ratios[phase].script! <= limits[phase].script
        : (ratios[phase].terraform ?? 0) <= limits[phase].terraform,
    );
    console.log(JSON.stringify({ bench: "phases", webhooks: count, builtInTo: ratios, ok }));
    if (!ok) process.exitCode = 1;
  }
}

void main().finally(() => rmSync(directory, { recursive: true, force: true }));
