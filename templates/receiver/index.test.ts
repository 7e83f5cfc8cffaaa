import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestStack, testStack } from "pulumi-esign/testing";

/** The project, on an emulator of its own. */
let stack: TestStack;
before(async () => {
  stack = await testStack(".");
});
after(() => stack?.close());

test("up creates the webhooks", async () => {
  const { effects } = await stack.up();
  assert.deepEqual(effects.map(({ kind }) => kind).sort(), ["Webhook", "Webhook"]);
});

test("another up changes nothing", async () => {
  assert.deepEqual((await stack.preview()).effects, []);
});
