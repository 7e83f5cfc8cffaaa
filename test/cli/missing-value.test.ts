/** A value that a customer lacks is added to the file of customers, whichever engine says that it is missing. */
import { expect, test } from "vitest";
import { fromCustomersFile } from "../../cli/fleet/missing-value";

const added = "\nAdd the value to the customer in the file of customers.";

test("the built-in engine", () => {
  const message = `stack customer-c1 lacks the configuration "colour", "token", which Pulumi.yaml asks for.`;
  expect(fromCustomersFile(`${message} Set it: config set colour <value>; config set --secret token <value>`)).toBe(
    message + added,
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
