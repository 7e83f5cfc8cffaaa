/** The state while it changes: every caller that needs a write gets one, and a result that cannot be written is not lost. */
import { readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import type { ResourceState } from "../resource/resource-state";
import { CheckpointWriter } from "../state/checkpoint-writer";
import { ResourceSerializer } from "../state/serializer";
import { SnapshotManager } from "../state/snapshot-manager";

const named = (urn: string): ResourceState => ({ urn, custom: true, type: "t" });

test("a state that breaks the rules is not written in its place, but kept elsewhere", async () => {
  const writer = new CheckpointWriter("/nowhere/dev.json", "dev", {}, new ResourceSerializer(undefined));
  const resources = [{ ...named("a"), parent: "missing", id: "the only one that knows" }];
  const state = { resources, pendingOperations: [], unknownFields: {} };
  await expect(writer.write(state)).rejects.toMatchObject({ code: "integrity" });
  const copy = await writer.writeEmergencyCopy(state);
  try {
    expect(readFileSync(copy as string, "utf8")).toContain("the only one that knows");
  } finally {
    rmSync(copy as string, { force: true });
  }
});

test("who comes in the moment in which a write ends gets one, too", async () => {
  for (let hops = 0; hops < 6; hops++) {
    const held: (() => void)[] = [];
    const write = () => (held.length > 0 ? Promise.resolve() : new Promise<void>((done) => held.push(done)));
    const writer = { writes: 0, invalidate: () => undefined, write };
    const snapshot = new SnapshotManager({ resources: [], pendingOperations: [], unknownFields: {} }, writer as never);
    const first = snapshot.beginMutation(named("a"), "creating");
    while (held.length === 0) await new Promise((done) => setTimeout(done, 1));
    held[0]?.();
    for (let i = 0; i < hops; i++) await undefined;
    const both = Promise.all([first, snapshot.beginMutation(named("b"), "creating")]);
    await expect(both, `${hops} hops`).resolves.toHaveLength(2);
  }
});
