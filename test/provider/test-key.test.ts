/** A test key reports success and changes nothing: what would write is refused before it does, where a response shows the key. */
import { beforeEach, describe, expect, it } from "vitest";
import { onStage } from "./on-stage";
import { type Declared, isWrite, preview, update } from "./previewed";

const world = onStage();

const hook = (url: string): Declared => ({ handler: "webhook", name: `hook ${url}`, args: { type: "all", url } });
const refusal = /this is a test key: the API would report success and change nothing/;
const testKey = () => ({ settings: { apiKey: world.service.keys.test } });

describe("today, when every response shows it", () => {
  beforeEach(() => world.service.configure({ edition: "current" }));

  it("a preview and an update of new resources are refused, once, before anything is written", async () => {
    for (const run of [preview, update]) {
      const { refusals, requests } = await run(
        world,
        [hook("https://a.example/"), hook("https://b.example/")],
        testKey(),
      );
      expect(refusals).toEqual([expect.stringMatching(refusal)]);
      expect(requests.filter(isWrite)).toEqual([]);
    }
  });

  it("a preview of a change is refused, one without changes is not", async () => {
    const one = hook("https://a.example/");
    await update(world, [one]);
    expect((await preview(world, [one], testKey())).refusals).toEqual([]);
    one.args = { ...one.args, url: "https://c.example/" };
    const changed = await preview(world, [one], testKey());
    expect(changed.refusals).toEqual([expect.stringMatching(refusal)]);
    expect(changed.requests.filter(isWrite)).toEqual([]);
  });
});

it("where only responses to writes show it, the first write fails and nothing is recorded", async () => {
  const one = hook("https://a.example/");
  expect((await preview(world, [one], testKey())).refusals).toEqual([]);
  const { refusals } = await update(world, [one], testKey());
  expect(refusals).toEqual([expect.stringMatching(/this is a test key: the API reported success but changed nothing/)]);
  expect(one.state).toBeUndefined();
});
