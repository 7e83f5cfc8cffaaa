/** The tests of examples/partner, as its user runs them. Every day the kit itself is tested: test/testing. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, run } from "../cli/esign";

test("examples/partner passes its own tests", async () => {
  const args = ["--require", "ts-node/register", "--test", "--test-reporter=tap", "partner.test.ts"];
  const { code, stdout } = await run(process.execPath, args, { home: root, cwd: join(root, "examples/partner") });
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("# pass 3") });
});
