/** The published vectors, which receivers in other languages are tested with: the receiver here does the same. `npx vitest run test/receiver/vectors.test.ts -u` writes the file. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { ReceiverError, receive } from "../../receiver";
import { vectors } from "../fixtures/notification-vectors";

test("the file has the vectors", async () => {
  const path = resolve(__dirname, "../../docs/how-to/notification-vectors.json");
  await expect(`${JSON.stringify(vectors, undefined, 2)}\n`).toMatchFileSnapshot(path);
});

test.each(vectors)("$name", ({ secrets, now, headers, body, rejected, form, action, idempotencyKey }) => {
  const run = () => receive(headers, body, { secrets, now: () => now * 1000 });
  if (rejected === null) {
    expect(run()).toMatchObject({ event: { form, action }, idempotencyKey });
    return;
  }
  expect(run).toThrow(ReceiverError);
  expect(run).toThrow(expect.objectContaining({ code: expect.stringContaining(rejected) }));
});
