/**
 * Lost responses at full size: 1,000 webhooks and 200 companies, three of ten creates completed and never answered; alone,
 * and at a service that rejects one of ten requests besides. Nothing may exist twice or be lost, and the requests for each
 * object are counted. How long creates take whose response is a 503 is compared with the simplest client that works here;
 * what a service that asks for waits costs in time, tools/bench/throttling.ts measures.
 */
import { systemClock } from "../../provider/core/clock";
import { cuts, listAndRetry, mix, trial, unavailable } from "../../test/reliability/lost-answers";
import { companies, webhooks } from "../../test/reliability/wanted";

const program = [...webhooks(1000), ...companies(200)];

async function main(): Promise<void> {
  for (const [name, faults, limit, listOrder] of [
    ["cuts alone", cuts, 1.25, "oldest"],
    ["cuts alone, lists with the newest first", cuts, 1.25, "newest"],
    ["cuts, 5 % 429 and 5 % 503", mix, 2, "oldest"],
    ["cuts, 5 % 429 and 5 % 503, lists with the newest first", mix, 2, "newest"],
  ] as const) {
    const { failures, problems, lost, requestsPerObject, milliseconds } = await trial({
      program,
      settings: { faults: [...faults], listOrder },
    });
    const isBroken = failures.length + problems.length > 0 || requestsPerObject > limit;
    console.log(
      `${isBroken ? "✗" : "✓"} ${name}: ${lost} responses lost, ${requestsPerObject.toFixed(3)} requests an object (at most ${limit}), ` +
        `${failures.length} failures, ${problems.length} duplicates, orphans or dangling ids, ${(milliseconds / 1000).toFixed(1)} s`,
    );
    for (const line of [...failures, ...problems].slice(0, 5)) console.log(`    ${line}`);
    if (isBroken) process.exitCode = 1;
  }
}

/** How much longer than listing and sending again at once, which a lagging list would make a duplicate of. */
const patience = 3;

/** Creates of 100 webhooks that a gateway answers with 503, in real time, beside the simplest client that works here. */
async function unavailableGateway(): Promise<void> {
  const times = { ours: 0, plain: 0 };
  const program = webhooks(100);
  for (const probability of [0.1, 0.2, 0.3]) {
    const settings = { faults: unavailable(probability), latency: 20 };
    const plain = await listAndRetry(
      program.map(({ args }) => String(args.url)),
      settings,
    );
    const { failures, problems, requestsPerObject, milliseconds } = await trial({
      program,
      settings,
      clock: systemClock,
    });
    times.ours += milliseconds;
    times.plain += plain;
    const isBroken = failures.length + problems.length > 0;
    console.log(
      `${isBroken ? "✗" : "✓"} 100 webhooks, ${100 * probability} % answered with 503: ${(milliseconds / 1000).toFixed(1)} s, list and retry ${(plain / 1000).toFixed(1)} s, ` +
        `${requestsPerObject.toFixed(2)} requests an object, ${failures.length} failures, ${problems.length} duplicates, orphans or dangling ids`,
    );
    if (isBroken) process.exitCode = 1;
  }
  const ratio = times.ours / times.plain;
  console.log(`${ratio > patience ? "✗" : "✓"} together ${ratio.toFixed(2)} times as long (at most ${patience})`);
  if (ratio > patience) process.exitCode = 1;
}

void unavailableGateway().then(main);
