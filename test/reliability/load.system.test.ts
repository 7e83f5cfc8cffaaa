/** A service that bears only so much: one run for each phase, no storm. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterEach, expect, it, onTestFinished } from "vitest";
import type { SettingsInput } from "../../emulator";
import { times } from "../chance";
import { type Stage, stage } from "../provider/handlers";
import { Stack } from "./stack";
import { webhooks } from "./wanted";

let world: Stage;
afterEach(() => world.service.close());

// The last number: objects, at most sixty in every run of the tests.
const limits: [string, SettingsInput["rateLimit"], Record<string, string>, number][] = [
  ["50 requests a second", { perSecond: 50 }, {}, 200],
  ["20 requests a second, for 50 objects", { perSecond: 20 }, {}, 50],
  ["3 requests at once", { concurrent: 3, retryAfter: "none" }, {}, 150],
  ["3 connections, as its user knows", { connections: 3 }, { maxConcurrency: "3" }, 120],
];
it.each(limits.slice(times > 1 ? 0 : 2))(
  "every phase finishes where the service bears %s",
  async (_, rateLimit, config, most) => {
    const count = times > 1 ? most : Math.min(most, 60);
    world = await stage({ rateLimit, latency: 5 });
    // Fifty hooks at once, as with `--parallel 50`.
    const stack = new Stack(world, 50);
    const phases = [
      () => stack.up(webhooks(count), config),
      () => stack.refresh(config),
      () => stack.up(webhooks(count, { type: "add-user" }), config),
      () => stack.destroy(config),
    ];
    // What is cut on its way is in no log of the service.
    let sent = 0;
    const onSend = () => sent++;
    subscribe("undici:client:sendHeaders", onSend);
    onTestFinished(() => void unsubscribe("undici:client:sendHeaders", onSend));
    for (const phase of phases) {
      sent = 0;
      world.service.clearLog();
      expect((await phase()).failures).toEqual([]);
      expect(stack.disagreements()).toEqual([]);
      const { total } = world.service.counts();
      expect(sent).toBeGreaterThanOrEqual(total);
      // No storm. How few are enough is measured in simulated time: test/sdk/rate-limiter.slow.test.ts.
      expect(sent).toBeLessThanOrEqual(3 * count);
    }
    expect(world.service.data().accounts.flatMap(({ webhooks: all }) => all)).toEqual([]);
  },
);

it("where the service cuts connections beyond the third, nothing is created twice or lost", async () => {
  world = await stage({ rateLimit: { connections: 3 }, latency: 5 });
  const stack = new Stack(world, 50);
  const until = async (phase: () => Promise<{ failures: string[] }>) => {
    for (let run = 1; (await phase()).failures.length > 0; run++) expect(run).toBeLessThan(10);
    expect(stack.disagreements()).toEqual([]);
  };
  await until(() => stack.up(webhooks(60)));
  expect(stack.objects.length).toBe(60);
  await until(() => stack.destroy());
  expect(world.service.data().accounts.flatMap(({ webhooks: all }) => all)).toEqual([]);
});
