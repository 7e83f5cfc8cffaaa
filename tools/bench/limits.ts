/**
 * The rate limiter at simulated services: 300 calls each, limited by rate, by bucket, by concurrency or not at all. No call may
 * fail, and no world may take more requests or more time than the bars allow. `DETAILS=1 npm run bench limits` prints each world.
 */
import { bars, simulate, unluckyWorlds, worlds } from "../../test/sdk/simulation";

async function main(): Promise<void> {
  const all = [
    ...worlds.map(([name, list]) => [name, list, bars.requestsPerCall, bars.time] as const),
    ...unluckyWorlds.map(([name, list, time]) => [name, list, Number.POSITIVE_INFINITY, time] as const),
  ];
  for (const [name, list, mostRequests, mostTime] of all) {
    const results = await Promise.all(list.map(simulate));
    const requests = results.map(({ requestsPerCall }) => requestsPerCall);
    const times = results.map(({ time }) => time);
    const failed = results.reduce((sum, result) => sum + result.failed, 0);
    const isMet = failed === 0 && Math.max(...requests) <= mostRequests && Math.max(...times) <= mostTime;
    if (!isMet) process.exitCode = 1;
    console.log(
      `${isMet ? " " : "✗"} ${name.padEnd(28)} ${String(list.length).padStart(3)} worlds: requests per call ${summary(requests)}, time ${summary(times)}, failed ${failed}`,
    );
    if (process.env.DETAILS === undefined) continue;
    for (const [i, world] of list.entries()) {
      const { requestsPerCall, time } = results[i]!;
      console.log(`    ${requestsPerCall.toFixed(2)} ${time.toFixed(2)} ${JSON.stringify(world)}`);
    }
  }
}

const summary = (values: number[]): string => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return `${mean.toFixed(2)} (at most ${Math.max(...values).toFixed(2)})`;
};

void main();
