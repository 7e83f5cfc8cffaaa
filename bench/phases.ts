/**
 * How long each phase of an account's life takes with the built-in engine, beside a script and Terraform with a REST provider where that is
 * found: as ratios, with 20 ms for each response. For machines that do nothing else: what else runs counts.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Contender, contenders, live, type Phase, phases } from "./_contenders";
import { undisturbed } from "./_cpu";

const rounds = Number(process.env.ROUNDS ?? 3);
const counts = [10, 100];
/**
 * Wall time of the built-in engine: at ten, of that of the script; at a hundred, of that of Terraform. What was measured on a fast
 * machine, and a quarter: the script is hardly more than the start of Node, and on a slower one the ratios are lower.
 */
const limits: Record<Phase, { script: number; terraform: number }> = {
  create: { script: 9, terraform: 2.2 },
  "no change": { script: 8, terraform: 2.2 },
  update: { script: 9, terraform: 1.4 },
  refresh: { script: 6.5, terraform: 1.3 },
  destroy: { script: 6.5, terraform: 1 },
};

const directory = mkdtempSync(join(tmpdir(), "bench-phases-"));

async function main(): Promise<void> {
  const found = Object.entries<Contender>(contenders).filter(([, { isFound }]) => isFound);
  const names = found.map(([name]) => name);
  if (!names.includes("terraform")) console.log("Without Terraform: TERRAFORM_PLUGINS names no folder of plugins.");
  for (const count of counts) {
    const walls = new Map<string, number[]>();
    for (let round = 0; round < rounds; round++)
      for (const [name, contender] of found) {
        const costs = await live(contender, join(directory, `${name}-${count}-${round}`), { count, latency: 20 });
        for (const phase of phases)
          walls.set(`${name} ${phase}`, [...(walls.get(`${name} ${phase}`) ?? []), costs[phase].wall]);
      }
    const seconds = (name: string, phase: Phase) => undisturbed(walls.get(`${name} ${phase}`)!);
    console.log(`${String(count).padEnd(11)}${names.map((name) => name.padStart(10)).join("")}   s`);
    const ratios: Partial<Record<Phase, Record<string, number>>> = {};
    for (const phase of phases) {
      console.log(`${phase.padEnd(11)}${names.map((name) => seconds(name, phase).toFixed(2).padStart(10)).join("")}`);
      const ratioTo = (name: string) => Number((seconds("built-in", phase) / seconds(name, phase)).toFixed(2));
      ratios[phase] = Object.fromEntries(
        names.filter((name) => name !== "built-in").map((name) => [name, ratioTo(name)]),
      );
    }
    const ok = phases.every((phase) =>
      count === 10
        ? ratios[phase]!.script! <= limits[phase].script
        : (ratios[phase]!.terraform ?? 0) <= limits[phase].terraform,
    );
    console.log(JSON.stringify({ bench: "phases", webhooks: count, builtInTo: ratios, ok }));
    if (!ok) process.exitCode = 1;
  }
}

void main().finally(() => rmSync(directory, { recursive: true, force: true }));
