/**
 * The gate at simulated services with limits: per second (windows, buckets) and at once, with every way to word the wait. A world
 * misses when it takes more than 1.3 times the time that the limit allows or 1.2 requests a call (that is not refused for no reason). One line for each kind of world:
 * no call may fail in any, and of some kinds no more than a share of the worlds may miss. `MISSES=1 npm run bench limits` says which ones missed.
 */
import { simulate, type World, wordings } from "../test/sdk/simulation";

type Kind = Pick<World, "kind" | "n"> & { burst: number };

const windows: Kind[] = [5, 10, 20, 50, 100].flatMap((n) => [
  { kind: "fixed window", n, burst: n },
  { kind: "sliding window", n, burst: n },
]);
const buckets = (bursts: number[]): Kind[] =>
  [5, 10, 20, 50, 100].flatMap((n) => bursts.map((burst) => ({ kind: "bucket" as const, n, burst })));
const perSecond = [...windows, ...buckets([4, 10, 25])];

/** So many seconds' worth of calls, with every wording, two distances, and so many callers. */
function worlds(kinds: Kind[], seconds: number[], callers: number[], more: Partial<World> = {}): World[] {
  const each = <T>(values: readonly T[], make: (value: T) => World[]): World[] => values.flatMap(make);
  return each(kinds, (kind) =>
    each(seconds, (time) =>
      each(callers, (count) =>
        each(Object.keys(wordings) as World["wording"][], (wording) =>
          each([3, 60], (latency) => [
            { ...kind, wording, latency, callers: count, calls: kind.burst + kind.n * time, ...more },
          ]),
        ),
      ),
    ),
  );
}

const atOnce = [2, 3, 5].map((n): Kind => ({ kind: "at once", n, burst: 0 }));
/** Refusals for no reason: so many are borne at once that there is no limit. */
const noise = (share: number) =>
  worlds([{ kind: "at once", n: 1000, burst: 0 }], [1, 1.5], [8, 10, 16, 50], { noise: share });
/** What most services do: a second's worth is the burst. */
const usual: Kind[] = [5, 10, 20, 50, 100].flatMap((n) =>
  (["fixed window", "sliding window", "bucket"] as const).map((kind) => ({ kind, n, burst: n })),
);
const groups: [string, World[], number?][] = [
  ["12 or 25 seconds' worth, a burst of four and more", worlds(perSecond, [12, 25], [8, 50]), 0.05],
  ["3 to 8 seconds' worth of which one goes at once", worlds(usual, [2, 3, 4, 5, 7], [16, 50]), 0.25],
  ["the same with no more callers than go at once", worlds(usual, [2, 3, 4, 5, 7], [8]), 0.3],
  ["six seconds' worth", worlds(perSecond, [6], [8, 50]), 0.15],
  ["three seconds' worth", worlds(perSecond, [3], [8, 50])],
  ["buckets of one", worlds(buckets([1]), [12, 25], [8, 50])],
  ["one caller", worlds(perSecond, [12, 25], [1])],
  ["the limit falls to half", worlds(perSecond, [25], [8, 50], { change: 0.5 })],
  ["the limit doubles", worlds(perSecond, [25], [8, 50], { change: 2 })],
  [
    "answers that take 0.3 or 1 s",
    [300, 1000].flatMap((latency) => worlds(perSecond, [12], [8, 50], { latency })),
    0.1,
  ],
  ["the same, so many at once", [300, 1000].flatMap((latency) => worlds(atOnce, [50, 200], [50], { latency })), 0.1],
  ["so many at once", worlds(atOnce, [200, 500], [8, 50])],
  ["one of ten refused for no reason", noise(0.1)],
  ["one of five refused for no reason", noise(0.2)],
];

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

async function main(): Promise<void> {
  const isDetailed = process.env.MISSES !== undefined;
  for (const [name, list, limit = 1] of groups) {
    const outcomes = await Promise.all(list.map(simulate));
    const missed = outcomes.map(
      ({ time, requests, failed }, i) => time > 1.3 || requests > 1.2 / (1 - (list[i]!.noise ?? 0)) || failed > 0,
    );
    const count = missed.filter(Boolean).length;
    const isBroken = count > limit * list.length || outcomes.some(({ failed }) => failed > 0);
    const time = mean(outcomes.map((outcome) => outcome.time)).toFixed(2);
    const longest = Math.max(...outcomes.map((outcome) => outcome.time)).toFixed(1);
    const requests = mean(outcomes.map((outcome) => outcome.requests)).toFixed(2);
    console.log(
      `${isBroken ? "✗" : " "} ${name.padEnd(52)} missed ${String(count).padStart(3)} of ${String(list.length).padStart(3)}, time ${time} (at most ${longest}), requests ${requests}`,
    );
    if (isBroken) process.exitCode = 1;
    if (!isDetailed) continue;
    for (const [i, world] of list.entries())
      if (missed[i]) {
        const { time, requests, failed } = outcomes[i]!;
        console.log(`    ${time.toFixed(2)} ${requests.toFixed(2)} ${failed} ${JSON.stringify(world)}`);
      }
  }
}

void main();
