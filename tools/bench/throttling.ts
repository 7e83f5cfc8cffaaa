/**
 * A service that turns requests away by chance, over HTTP and in real time: create, update and destroy of webhooks, beside the
 * simplest client that works there, which lists and sends again. No phase may take more than so many times as long; nothing may fail, be
 * there twice or be lost. Medians of rounds. The limiter alone, in simulated time: `npm run bench limits`.
 */
import { type Fault, start } from "../../emulator";
import { systemClock } from "../../provider/core/clock";
import { connect } from "../../sdk";
import { stage } from "../../test/provider/handlers";
import { Stack } from "../../test/reliability/stack";
import { webhooks } from "../../test/reliability/wanted";

const chance = (share: number, fault: Partial<Extract<Fault, { kind: "status" }>>): Fault => ({
  kind: "status",
  status: 429,
  ...fault,
  probability: share,
});
const worlds: [string, Fault[], count: number, limit: number][] = [
  ["5 % 429 with Retry-After 1, 5 % 503", [chance(0.05, { retryAfter: 1 }), chance(0.05, { status: 503 })], 100, 3],
  ["30 % 429 without Retry-After", [chance(0.3, {})], 250, 5],
];
const latency = 20;
const width = 8;
const rounds = Number(process.env.ROUNDS ?? 5);
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The times of create, update and delete for a client that waits after each failure for that request alone. */
async function plainTimes(faults: Fault[], count: number): Promise<number[]> {
  const service = await start({ faults, latency });
  const client = connect({ baseUrl: service.url, apiKey: service.keys.partner, retries: 0 });
  /** Until it succeeds, or the list shows that it did. */
  const insist = async (send: () => Promise<unknown>, isDone = async () => false) => {
    for (;;) {
      const failed = await send().then(
        () => undefined,
        (error) => error,
      );
      if (failed === undefined) return;
      await wait(failed.retryAfter ?? 100);
      if (await isDone().catch(() => false)) return;
    }
  };
  const inParallel = async <T>(items: T[], work: (item: T) => Promise<unknown>) => {
    const queue = [...items];
    const begin = performance.now();
    const worker = async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    };
    await Promise.all(Array.from({ length: width }, worker));
    return performance.now() - begin;
  };
  const urls = webhooks(count).map(({ args }) => String(args.url));
  const listed = () => client.webhooks.list().all();
  try {
    const create = await inParallel(urls, (webhook_url) =>
      insist(
        () => client.webhooks.create({ webhook_type: "all", webhook_url }),
        async () => (await listed()).some((one) => one.webhook_url === webhook_url),
      ),
    );
    const ids = service.data().accounts.flatMap((account) => account.webhooks.map(({ id }) => id));
    const update = await inParallel(ids, (webhook_id) =>
      insist(() => client.webhooks.update({ webhook_id, webhook_type: "add-user" })),
    );
    const remove = await inParallel(ids, (webhook_id) => insist(() => client.webhooks.delete({ webhook_id })));
    return [create, update, remove];
  } finally {
    await service.close();
  }
}

/** The times of each phase, and what went wrong. */
async function esignTimes(faults: Fault[], count: number): Promise<{ times: number[]; problems: string[] }> {
  const world = await stage({ faults, latency });
  world.clock = systemClock;
  const stack = new Stack(world, width);
  const runs = [
    () => stack.up(webhooks(count)),
    () => stack.up(webhooks(count, { type: "add-user" })),
    () => stack.destroy(),
  ];
  const times: number[] = [];
  const problems: string[] = [];
  for (const run of runs) {
    const begin = performance.now();
    const { failures } = await run();
    times.push(performance.now() - begin);
    problems.push(...failures, ...stack.disagreements());
  }
  await world.service.close();
  return { times, problems };
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function main(): Promise<void> {
  for (const [name, faults, count, limit] of worlds) {
    const plain: number[][] = [];
    const esign: number[][] = [];
    // Whom a fault hits is chance, and so is a single round.
    for (let round = 0; round < rounds; round++) {
      plain.push(await plainTimes(faults, count));
      const { times, problems } = await esignTimes(faults, count);
      esign.push(times);
      if (problems.length === 0) continue;
      process.exitCode = 1;
      console.log(`✗ ${name}: ${problems.length} failures, duplicates or orphans`);
      for (const line of problems.slice(0, 5)) console.log(`    ${line}`);
    }
    for (const [i, phase] of ["create", "update", "destroy"].entries()) {
      const [time, least] = [median(esign.map((times) => times[i]!)), median(plain.map((times) => times[i]!))];
      const ratio = time / least;
      if (ratio > limit) process.exitCode = 1;
      console.log(
        `${ratio > limit ? "✗" : "✓"} ${name}, ${count} webhooks, ${phase}: ${(time / 1000).toFixed(1)} s, ` +
          `list and retry ${(least / 1000).toFixed(1)} s, ${ratio.toFixed(2)} times as long (at most ${limit})`,
      );
    }
  }
}

void main();
