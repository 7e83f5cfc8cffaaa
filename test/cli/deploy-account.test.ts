/** A run on a stack without an account, beside one that has one. */
import { afterEach, expect, test, vi } from "vitest";
import { hintAtOtherStack } from "../../cli/deploy/deployment-account";
import { temporaryFolder } from "../files";

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
])("%j", (files, message) => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  hintAtOtherStack(temporaryFolder({ "Pulumi.yaml": project, ...files }), "dev");
  if (message === undefined) expect(write).not.toHaveBeenCalled();
  else expect(write.mock.calls.join()).toContain(message);
});
