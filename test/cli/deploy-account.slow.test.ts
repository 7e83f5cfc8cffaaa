/** A run on a stack without an account, beside one that has one. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { hintAtAccount } from "../../cli/deploy/deployment-account";
import { temporaryFolder } from "../files";
import { esign } from "./in-process";

afterEach(() => vi.restoreAllMocks());

const project = "name: shop\nruntime: nodejs\n";
const account = "config:\n  esign:baseUrl: https://sign.example.com\n";

test.each([
  [
    { "Pulumi.production.yaml": account },
    "no account is configured for stack dev; there is one for production: --stack production",
  ],
  [{ "Pulumi.production.yaml": account, "Pulumi.dev.yaml": account }, undefined],
  [{ "Pulumi.production.yaml": "config:\n  shop:x: y\n" }, undefined],
  [{}, undefined],
])("%j", async (files, message) => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  await hintAtAccount(temporaryFolder({ "Pulumi.yaml": project, ...files }), "dev");
  if (message === undefined) expect(write).not.toHaveBeenCalled();
  else expect(write.mock.calls.join()).toContain(message);
});

test("a stack that --local has made is for the emulator: that is what was forgotten", async () => {
  const home = temporaryFolder({ "Pulumi.yaml": `${project.replace("nodejs", "yaml")}backend: { url: 'file://.' }\n` });
  const resources =
    "resources:\n  hook:\n    type: esign:Webhook\n    properties: { type: all, url: 'https://r.example' }\n";
  appendFileSync(join(home, "Pulumi.yaml"), resources);
  expect(await esign(["up", "--local", "--yes"], { home })).toMatchObject({ code: 0 });
  for (const args of [["preview"], ["refresh", "--yes"], ["destroy", "--yes"], ["drift"]]) {
    const { stderr } = await esign(args, { home });
    expect(stderr, args[0]).toContain("no account is configured for stack dev; it was made with --local: add that");
  }
  for (const args of [["preview"], ["drift"], ["destroy", "--yes"]]) {
    const { code, stderr } = await esign([...args, "--local"], { home });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("no account is configured")]);
  }
});
