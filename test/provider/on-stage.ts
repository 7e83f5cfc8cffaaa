/** A stage for the tests of a file. Apart from `handlers.ts`, which benchmarks use, too: they have no test runner. */
import { beforeEach } from "vitest";
import { times } from "../chance";
import { useEmulator } from "../emulator/use-emulator";
import { virtualClock } from "../virtual-clock";
import { isPlugin, Stage } from "./handlers";

/** Of a table whose rows do not depend on the form: every other row in the one, the rest in the other; all in both with RANDOM_TIMES. */
export const byTurns = <Row>(rows: readonly Row[]): readonly Row[] =>
  times > 1 ? rows : rows.filter((_, index) => (index % 2 === 1) === isPlugin);

/** One stage for the tests around, with these settings beside the partner's: renewed before each of them. */
export function onStage(settings: Record<string, string> = {}): Stage {
  const world = new Stage(useEmulator({ strictness: { subaccountUsers: false }, clock: virtualClock.date }), {});
  beforeEach(() => world.renew(settings));
  return world;
}
