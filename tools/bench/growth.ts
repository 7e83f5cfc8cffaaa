/**
 * How the time of work grows with its size, for input made to take long: eight times the size takes about eight times as long if the time
 * grows with the size, and 64 times if it grows with its square. In CPU time, the best of some runs.
 */
import { start } from "../../emulator";
import { longContents } from "../../test/account-folder/long-contents";
import { ask, envelopeForm } from "../../test/emulator/ask";
import { longEnvelopes } from "../../test/emulator/long-envelopes";
import { readList } from "../../test/sdk/endless-list";

/** Between linear and quadratic. */
const limit = 24;

async function cpuTime(work: () => unknown, runs: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const begin = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(begin);
    times.push(user + system);
  }
  return Math.min(...times);
}

async function measure(name: string, size: number, work: (size: number) => unknown): Promise<void> {
  await cpuTime(() => work(size), 1);
  const small = await cpuTime(() => work(size), 3);
  const large = await cpuTime(() => work(8 * size), 2);
  // Not below a millisecond, where a measurement is mostly noise.
  const growth = large / Math.max(small, 1000);
  if (growth > limit) process.exitCode = 1;
  console.log(`${growth > limit ? "✗" : "✓"} ${name}: ${growth.toFixed(1)} times as long (at most ${limit})`);
}

async function main(): Promise<void> {
  for (const [name, size, work] of longContents) await measure(name, size, work);
  const emulator = await start({ processingTime: 3600_000, notifications: { enabled: false } });
  const create = (form: object) => ask(emulator)("POST", "/v1/envelopes", envelopeForm(form));
  for (const [name, size, form] of longEnvelopes)
    await measure(`an envelope with many ${name}`, size, (n) => create(form(n)));
  await emulator.close();
  await measure("a list", 20_000, readList);
}

void main();
