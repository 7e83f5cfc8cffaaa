/** How old something is, while the clock of the machine is set forwards and backwards: never older than it is. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Ages } from "../../provider/core/ages";
import { ProcessWrites } from "../../provider/processes/process-writes";
import { RecentWrites } from "../../provider/processes/recent-writes";
import { longestLag } from "../../sdk/http/read-lag";
import { temporaryFolder } from "../files";

const day = 24 * 60 * 60_000;

/** Two clocks, of which a test sets the machine's. */
function clocks() {
  let [now, zero] = [5_000, 1_700_000_000_000];
  return {
    now: () => now,
    date: () => zero + now,
    pass: (ms: number) => {
      now += ms;
    },
    set: (ms: number) => {
      zero += ms;
    },
  };
}

it.each([9_000, 3_600_000, 400 * day])("a clock set ahead by %i ms makes nothing older", (jump) => {
  const clock = clocks();
  const ages = Ages.by(clock);
  const before = clock.date();
  clock.pass(300);
  clock.set(jump);
  expect(ages.of(before)).toBe(300);
  clock.pass(700);
  const after = clock.date();
  clock.pass(40);
  expect([before, after].map((date) => ages.of(date))).toEqual([1_040, 40]);
});

it("a clock set back by far leaves ages as they are", () => {
  const clock = clocks();
  const ages = Ages.by(clock);
  const before = clock.date();
  clock.pass(300);
  clock.set(-day);
  clock.pass(700);
  expect(ages.of(before)).toBe(1_000);
});

it("a date to come is one: clocks of machines differ", () => {
  const clock = clocks();
  expect(Ages.by(clock).of(clock.date() + 2_000)).toBe(-2_000);
});

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 0, max: 20_000 }) }),
    fc.record({ kind: fc.constant("set" as const), ms: fc.integer({ min: -2 * day, max: 2 * day }) }),
  ),
  { maxLength: 12 },
);

it("whatever the clock does, nothing counts as older than it is, and at an even clock everything is as old as it is", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const clock = clocks();
      const ages = Ages.by(clock);
      const dates: { date: number; now: number }[] = [];
      for (const { kind, ms } of all) {
        dates.push({ date: clock.date(), now: clock.now() });
        clock[kind](ms);
        const isEven = all.every((step) => step.kind === "pass");
        for (const { date, now } of dates) {
          const age = clock.now() - now;
          if (isEven) expect(ages.of(date)).toBe(age);
          // What is smaller than a jump is an adjustment.
          else expect(ages.of(date)).toBeLessThanOrEqual(age + 250 * all.length);
        }
      }
    }),
  );
});

it("what was written counts as recent for as long as ever, for a later session of the process, too, and however much is written", async () => {
  const clock = clocks();
  const shared = new ProcessWrites(temporaryFolder());
  const writes = () => new RecentWrites(clock, shared, { claim: () => true });
  const first = writes();
  const entry = (id: string) => ({ event: "made" as const, id, at: clock.date(), target: "" });
  first.add(["here"], entry("7"), true);
  clock.pass(100);
  clock.set(day);
  for (let at = 0; at < 1_500; at++) first.add(["elsewhere"], entry(`${at}`), true);
  for (const session of [first, writes()]) expect(session.in(["here"]).map(({ id }) => id)).toEqual(["7"]);
  clock.pass(longestLag - 100);
  expect(writes().in(["here"])).toEqual([]);
});
