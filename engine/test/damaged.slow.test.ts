/** A state that was edited by hand: each part with each other type. It is rejected with a message, or accepted without an internal error. */
import { expect, test } from "vitest";
import { edited } from "../../test/strange";
import { schemaErrors } from "../state/schema-errors";
import { type Wish, World } from "./world";

const program: Wish[] = [
  { name: "a", value: 1, additionalSecretOutputs: ["token"] },
  { name: "group", component: true },
  { name: "b", parent: "group", uses: "a", dependsOn: ["a"], retainOnDelete: true },
  { name: "c", belongsTo: "a", deletedWithOwner: true, ignoreChanges: ["value"] },
];

test("a state that was edited by hand is refused with a message, or understood", async () => {
  const first = new World();
  await first.up(program);
  let file: Record<string, unknown> = {};
  first.edit((content) => {
    file = structuredClone(content);
  });
  let successes = 0;
  for (const content of edited(file)) {
    if (schemaErrors(content).length > 0) continue;
    for (const verb of ["up", "refresh", "destroy"] as const) {
      const world = new World();
      for (const [id, object] of first.objects) world.objects.set(id, object);
      world.edit((none) => Object.assign(none, content));
      const run = verb === "up" ? world.up(program) : world[verb]();
      const said = await run.then(
        (ran) => {
          if (ran.ok) successes++;
          return ran.said;
        },
        (error: Error) => [error.message],
      );
      expect(
        said.filter((words) => /not a function|not iterable|Cannot (read|create)|must be of type/.test(words)),
      ).toEqual([]);
    }
  }
  expect(successes).toBeGreaterThan(100);
});
