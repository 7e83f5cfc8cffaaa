import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestStack, testStack } from "pulumi-esign/testing";

/** The project, on an emulator of its own. */
let stack: TestStack;
before(async () => {
  stack = await testStack(".");
});
after(() => stack?.close());

test("up deploys what is in the files", async () => {
  const { effects } = await stack.up();
  assert.ok(effects.length > 0);
});

test("another up changes nothing", async () => {
  assert.deepEqual((await stack.preview()).effects, []);
});
