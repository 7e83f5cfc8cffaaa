/** A stage for the tests of a file. Apart from `handlers.ts`, which benchmarks use, too: they have no test runner. */
import { beforeEach } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { virtualClock } from "../virtual-clock";
import { Stage } from "./handlers";

/** One stage for the tests around, with these settings beside the partner's: renewed before each of them. */
export function onStage(settings: Record<string, string> = {}): Stage {
  const world = new Stage(useEmulator({ strictness: { subaccountUsers: false }, clock: virtualClock.date }), {});
  beforeEach(() => world.renew(settings));
  return world;
}
