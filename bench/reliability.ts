/**
 * Lost answers at full size: 1,000 webhooks and 200 companies, three of ten creations carried out and never answered;
 * alone, and at a service that refuses one of ten requests besides. Nothing may be there twice or lost, and the requests
 * for each object are counted. Those that are told to wait may not take much longer than those that are told nothing.
 */
import { systemClock } from "../provider/core/clock";
import { cuts, listAndRetry, mix, trial, unavailable } from "../test/reliability/lost-answers";
import { companies, webhooks } from "../test/reliability/wanted";

const program = [...webhooks(1000), ...companies(200)];
const asking = mix.map((fault) => (fault.kind === "status" ? { ...fault, retryAfter: 1 } : fault));

/** How much longer the waits that a service asks for may take than the client's own. */
const longest = 2.5;

async function main(): Promise<void> {
  let untold = Number.POSITIVE_INFINITY;
  for (const [name, faults, limit, listOrder] of [
    ["cuts alone", cuts, 1.25, "oldest"],
    ["cuts alone, lists with the newest first", cuts, 1.25, "newest"],
    ["cuts, 5 % 429 and 5 % 503 that say nothing of a wait", mix, 1.5, "oldest"],
    ["cuts, 5 % 429 and 5 % 503 that ask to wait a second", asking, 1.5, "oldest"],
    ["cuts, 5 % 429 and 5 % 503 that say nothing of a wait, lists with the newest first", mix, 1.6, "newest"],
  ] as const) {
    const { failures, problems, lost, requestsPerObject, milliseconds } = await trial({
      program,
      settings: { faults: [...faults], listOrder },
    });
    if (faults === mix) untold = Math.min(untold, milliseconds);
    const isSlow = faults === asking && milliseconds > longest * untold;
    const isBroken = failures.length + problems.length > 0 || requestsPerObject > limit || isSlow;
    console.log(
      `${isBroken ? "✗" : "✓"} ${name}: ${lost} answers lost, ${requestsPerObject.toFixed(3)} requests an object (at most ${limit}), ` +
        `${failures.length} failures, ${problems.length} duplicates, orphans or dangling ids, ${(milliseconds / 1000).toFixed(1)} s${isSlow ? `, more than ${longest} times as long as without a word of a wait` : ""}`,
    );
    for (const line of [...failures, ...problems].slice(0, 5)) console.log(`    ${line}`);
    if (isBroken) process.exitCode = 1;
  }
}

/** How much longer than listing and sending again at once, which a lagging list would make a duplicate of. */
const patience = 3;

/** Creates that a gateway answers with 503, in real time, beside the simplest client that works here. */
async function unavailableGateway(): Promise<void> {
  for (const count of [30, 100]) {
    for (const probability of [0.1, 0.2, 0.3]) {
      const program = webhooks(count);
      const settings = { faults: unavailable(probability), latency: 20 };
      const plain = await listAndRetry(
        program.map(({ args }) => String(args.url)),
        settings,
      );
      const figures = await trial({ program, settings, clock: systemClock });
      const { failures, problems, requestsPerObject, milliseconds } = figures;
      const isBroken = failures.length + problems.length > 0 || milliseconds > patience * plain;
      console.log(
        `${isBroken ? "✗" : "✓"} ${count} webhooks, ${100 * probability} % answered with 503: ${(milliseconds / 1000).toFixed(1)} s, list and retry ${(plain / 1000).toFixed(1)} s, ` +
          `${requestsPerObject.toFixed(2)} requests an object, ${failures.length} failures, ${problems.length} duplicates, orphans or dangling ids`,
      );
      if (isBroken) process.exitCode = 1;
    }
  }
}

void unavailableGateway().then(main);
