/** A value that a customer lacks is added to the file of customers, whichever engine says that it is missing. */
import { expect, test } from "vitest";
import { fromCustomersFile } from "../../cli/fleet/missing-value";
import { resolveConfig } from "../../engine/config/resolve-config";

const added = "\nAdd the value to the customer in the file of customers.";

test("the built-in engine", () => {
  const declarations = new Map([
    ["shop:colour", { type: "string" }],
    ["shop:token", { type: "string", secret: true }],
  ]);
  const options = { project: "shop", stack: "customer-c1", values: new Map(), declarations, crypter: undefined };
  let message = "";
  try {
    resolveConfig(options as Parameters<typeof resolveConfig>[0]);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toContain("config set --secret token <value>");
  expect(fromCustomersFile(message)).toBe(
    `stack customer-c1 lacks the configuration "colour", "token", which Pulumi.yaml asks for.${added}`,
  );
});

test("the Pulumi CLI", () => {
  const message = "validating stack config: Stack 'customer-c1' is missing configuration value 'colour'";
  expect(fromCustomersFile(message)).toBe(message + added);
});

test("other errors are unchanged", () => {
  for (const message of ["the key was rejected", "the configuration shop:n must be encrypted: config set --secret n"])
    expect(fromCustomersFile(message)).toBe(message);
});
