/** A stage for the tests of a file. Apart from `handlers.ts`, which benchmarks use, too: they have no test runner. */
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type Stage, stage } from "./handlers";

/** One stage for the tests around, handed to `take`, and renewed before each of them. */
export function onStage(take: (stage: Stage) => void, settings: Record<string, string> = {}): void {
  let world: Stage;
  beforeAll(async () => {
    world = await stage();
    take(world);
  });
  afterAll(() => world.service.close());
  beforeEach(() => world.renew(settings));
}
