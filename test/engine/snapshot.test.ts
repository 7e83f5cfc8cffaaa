/** The state while it changes: who needs a write gets one, whenever he comes. */
import { expect, test } from "vitest";
import { Snapshot } from "../../engine/snapshot";
import type { ResourceState } from "../../engine/state";

test("who comes in the moment in which a write ends gets one, too", async () => {
  const named = (urn: string): ResourceState => ({ urn, custom: true, type: "t" });
  for (let hops = 0; hops < 6; hops++) {
    const held: (() => void)[] = [];
    const write = () => (held.length > 0 ? Promise.resolve() : new Promise<void>((done) => held.push(done)));
    const writer = { writes: 0, changed: () => undefined, write };
    const snapshot = new Snapshot({ resources: [], pendingOperations: [], rest: {} }, writer as never, () => false);
    const first = snapshot.begin(named("a"), "creating");
    while (held.length === 0) await new Promise((done) => setTimeout(done, 1));
    held[0]?.();
    for (let i = 0; i < hops; i++) await undefined;
    const both = Promise.all([first, snapshot.begin(named("b"), "creating")]);
    const patience = new Promise((done) => setTimeout(done, 1000, "nobody wrote"));
    expect(await Promise.race([both.then(() => "written"), patience]), `${hops} hops`).toBe("written");
  }
});
