/** `npm run chaos`: the random campaign, for a given time and from a given seed, with its figures. */
import { parseArgs } from "node:util";
import fc from "fast-check";
import { live, nothingYet, type Scenario, scenario } from "./campaign";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, seed: { type: "string", default: String(Date.now() % 1e6) } },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
if (!(seconds > 0) || !Number.isInteger(seed)) {
  console.error("npm run chaos -- [--seconds N] [--seed S]: N is a number above 0, S a whole number");
  process.exit(2);
}

async function main(): Promise<void> {
  console.log(`seed ${seed}, ${seconds} s`);
  const figures = nothingYet();
  const end = Date.now() + seconds * 1000;
  const broken: string[] = [];
  for (let n = 0; Date.now() < end; n++) {
    const [life] = fc.sample(scenario, { seed: seed + n, numRuns: 1 }) as [Scenario];
    try {
      await live(life, figures);
    } catch (error) {
      broken.push(`seed ${seed + n}: ${(error as Error).message}`);
      console.log(broken.at(-1));
    }
  }
  for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(10)} ${value}`);
  console.log(`${"broken".padEnd(10)} ${broken.length}`);
  process.exitCode = broken.length > 0 ? 1 : 0;
}

void main();
