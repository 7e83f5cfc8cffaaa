/** `npm run chaos`: the random campaign, for so many seconds and from one seed, with its figures. */
import { Command, InvalidArgumentError } from "commander";
import { fc } from "../chance";
import { live, nothingYet, type Scenario, scenario } from "./campaign";

const number = (fits: (n: number) => boolean, what: string) => (text: string) => {
  if (text.trim() === "" || !fits(Number(text))) throw new InvalidArgumentError(what);
  return Number(text);
};
const { seconds, seed } = new Command("npm run chaos --")
  .description("Tries random programs, faults and kills, and prints what it did; exit code 1 when anything was broken.")
  .option(
    "--seconds <n>",
    "how long",
    number((n) => n > 0 && Number.isFinite(n), "It must be a number above 0."),
    60,
  )
  .option("--seed <n>", "where chance begins", number(Number.isInteger, "It must be a whole number."), Date.now() % 1e6)
  .parse()
  .opts<{ seconds: number; seed: number }>();

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
