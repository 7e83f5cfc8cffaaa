/** A resource that the plugin has managed, as a dynamic one. */
import { expect, it } from "vitest";
import { onStage } from "./on-stage";

const world = onStage();
const args = { type: "signed-envelope", url: "https://receiver.example/signed" };

it("is updated without a write, so that its state gets the text of the dynamic provider", async () => {
  const { id, outs } = await world.create("webhook", args);
  const { __provider: _, ...state } = outs;
  const count = world.writes().length;
  const phase = world.phase();
  await phase.webhook.check(state, { ...args, __provider: outs.__provider });
  const news = { ...args, __provider: outs.__provider };
  expect(await phase.webhook.diff(id, state, news)).toMatchObject({ changes: true, replaces: [] });
  await phase.webhook.update(id, state, news);
  expect(world.writes()).toHaveLength(count);
  expect(await phase.webhook.diff(id, outs, news)).toMatchObject({ changes: false });
});
