import { expect, test } from "vitest";
import { mapWebhooks } from "../../cli/commands/webhooks-map/webhook-map";

const hook = (type: string, url: string) => ({ type, url });

test("events by endpoints, with those that nobody receives", () => {
  const map = mapWebhooks([hook("add-user", "https://a.example/"), hook("signed-envelope", "https://b.example/")]);
  expect(map.endpoints.map((endpoint) => endpoint.url)).toEqual(["https://a.example/", "https://b.example/"]);
  expect(map.endpoints[0]!.receives["add-user"]).toEqual(["add-user"]);
  expect(map.uncovered).not.toContain("add-user");
  expect(map.uncovered).toContain("opened-envelope");
  expect(map.events).not.toContain("all");
  expect(map.duplicates).toEqual([]);
});

test('"all" beside a specific type, and the same type and address twice, are double deliveries', () => {
  const map = mapWebhooks([
    hook("all", "https://a.example/"),
    hook("add-user", "https://a.example/"),
    hook("add-user", "https://b.example/"),
    hook("add-user", "https://b.example"),
  ]);
  expect(map.duplicates).toEqual([
    { event: "add-user", url: "https://a.example/", reason: '"all" beside "add-user"' },
    { event: "add-user", url: "https://b.example", reason: '"add-user" is registered 2 times' },
  ]);
  expect(map.uncovered).toEqual([]);
});

test("a type that this version does not know is an event as well", () => {
  expect(mapWebhooks([hook("bounced-envelope", "https://a.example/")]).events).toContain("bounced-envelope");
});
