import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestStack, testStack } from "pulumi-esign/testing";

let stack: TestStack;
before(async () => {
  stack = await testStack(__dirname);
});
after(() => stack?.close());

test("each customer gets a subaccount with two webhooks", async () => {
  const { effects } = await stack.up();
  const created = (kind: string) => effects.filter((each) => each.kind === kind && each.effect === "create");
  assert.deepEqual(
    created("Company")
      .map(({ name }) => name)
      .sort(),
    ["harbour", "orchard"],
  );
  assert.equal(created("Webhook").length, 4);
});

test("their keys are outputs", async () => {
  const { apiKeys } = (await stack.outputs()) as { apiKeys: Record<string, string> };
  assert.deepEqual(Object.keys(apiKeys).sort(), ["harbour", "orchard"]);
});

test("another up changes nothing", async () => {
  assert.deepEqual((await stack.preview()).effects, []);
});
