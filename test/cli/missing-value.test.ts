/** A value that a customer lacks is added to the file of customers, whichever engine says that it is missing. */
import { expect, test } from "vitest";
import { OperationError } from "../../cli/engine/operation-error";
import { asOperationError } from "../../cli/fleet/stack/as-operation-error";
import { EngineError, type MissingValues } from "../../engine/index";

const added = "\nAdd the value to the customer in the file of customers.";

test("the built-in engine, by the code of its error, whatever it says", () => {
  const problem = "stack customer-c1 lacks two values.";
  const lacking = new EngineError(`${problem} Set them: config set a <value>`, "missing-values");
  const error = Object.assign(lacking, { problem }) satisfies MissingValues;
  expect(asOperationError(error).message).toBe(problem + added);
});

test("the Pulumi CLI, whose messages have no code", () => {
  const message = "validating stack config: Stack 'customer-c1' is missing configuration value 'colour'";
  const error = asOperationError(new OperationError(message, false, 3));
  expect(error).toMatchObject({ message: message + added, isLocked: false, exitCode: 3 });
});

test("other errors are unchanged, also where a text of the user has the words of one", () => {
  const said = new EngineError(`Webhook "one lacks the configuration": the key was rejected`, "refused");
  for (const error of [said, new EngineError("the configuration shop:n must be encrypted: config set --secret n")])
    expect(asOperationError(error).message).toBe(error.message);
  for (const isLocked of [true, false])
    expect(asOperationError(new OperationError("no", isLocked))).toMatchObject({ message: "no", isLocked });
  expect(asOperationError(new OperationError(undefined, false)).hasReason).toBe(false);
});
