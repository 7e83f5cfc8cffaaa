/** A service that bears only so much: one run for each phase, few requests more than needed, no storm. */
import { afterEach, expect, it } from "vitest";
import type { SettingsInput } from "../../emulator";
import { type Stage, stage } from "../provider/handlers";
import { disagreements } from "./agreement";
import { Engine } from "./engine";
import { hooksHere } from "./hooks";
import { webhooks } from "./lost-answers";

let world: Stage;
afterEach(() => world.service.close());

const count = 120;

it.each<[string, SettingsInput["rateLimit"]]>([
  ["50 requests a second", { perSecond: 50 }],
  ["3 requests at once", { concurrent: 3, retryAfter: "none" }],
])("every phase finishes where the service bears %s", { timeout: 60_000 }, async (_, rateLimit) => {
  world = await stage({ rateLimit, latency: 5 });
  // Fifty hooks at once, as with `--parallel 50`.
  const engine = new Engine(50);
  const phases = [
    () => engine.up(webhooks(count), hooksHere(world)),
    () => engine.refresh(hooksHere(world)),
    () => engine.up(webhooks(count, { type: "all" }), hooksHere(world)),
    () => engine.destroy(hooksHere(world)),
  ];
  for (const phase of phases) {
    world.service.clearLog();
    expect((await phase()).failures).toEqual([]);
    expect(disagreements(world.service.data(), [...engine.state.values()])).toEqual([]);
    const { total, byMethod } = world.service.counts();
    expect(total - (byMethod.GET ?? 0)).toBeLessThanOrEqual(1.2 * count);
    expect(total).toBeLessThanOrEqual(1.4 * count);
  }
  expect(world.service.data().accounts.flatMap(({ webhooks: all }) => all)).toEqual([]);
});
