/** What was written and when can be read on a terminal of any width. */
import { afterEach, expect, test } from "vitest";
import { save, temporaryFolder } from "../files";
import { esign } from "./in-process";

const { isTTY, columns } = process.stdout;
afterEach(() => Object.assign(process.stdout, { isTTY, columns }));

test.each([40, 80, 200])("at %d columns", async (width) => {
  const home = temporaryFolder();
  const urn = "urn:pulumi:production::shop::pulumi-nodejs:dynamic/esign:Webhook::account-signed-envelope-complete";
  const entry = {
    time: "2026-11-26T01:33:48.000Z",
    run: "r",
    seq: 1,
    user: "root",
    stack: "production",
    kind: "Webhook",
  };
  const call = { id: "1762735344", operation: "webhooks.create", fields: ["webhook_type", "webhook_url"], attempt: 1 };
  save(home, {
    "Pulumi.yaml": "name: shop\nruntime: nodejs\nbackend:\n  url: file://.\n",
    ".esign/writes.jsonl": [
      { ...entry, ...call, outcome: "succeeded" },
      { run: "r", stack: "production", urns: { "Webhook 1762735344": urn } },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  });
  Object.assign(process.stdout, { isTTY: true, columns: width });
  const { code, stdout } = await esign(["stack", "writes"], { home });
  expect(code).toBe(0);
  const words = [
    "2026-11-26 01:33:48",
    "root",
    "production",
    "webhooks.create",
    "webhook_type, webhook_url",
    "succeeded",
  ];
  for (const word of [...words, "Webhook account-signed-envelope-complete (1762735344)"])
    expect(stdout).toContain(word);
});
