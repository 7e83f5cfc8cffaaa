/** What a run leaves behind in a process that is used again is nothing to the next one. */
import { expect, test } from "vitest";
import { newStack, up } from "./scratch";

const QUEUE = `
const pulumi = require("@pulumi/pulumi");
for (let i = 0; i < 500; i++) pulumi.log.debug("of no importance");
pulumi.log.info("now");
for (let i = 0; i < 500; i++) pulumi.log.debug("of no importance");
`;

test("an interruption while messages of the SDK wait for each other mutes no later program", async () => {
  const { stack, write } = await newStack({ "index.js": QUEUE });
  for (let round = 0; round < 3; round++) {
    write(QUEUE);
    const stop = new AbortController();
    await stack.run("update", {
      signal: stop.signal,
      onEvent: (event) => void (event.type === "diagnostic" && event.message.includes("now") && stop.abort()),
    });
    write('throw new Error("what is said at last")');
    const { said } = await up(stack);
    expect(said).toContain("what is said at last");
    expect(said).not.toContain("failed to deliver");
  }
});
