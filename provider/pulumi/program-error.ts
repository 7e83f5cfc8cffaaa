import * as pulumi from "@pulumi/pulumi";
import { type ErrorCode, errorMessage } from "../core/error-codes";

/** An error of the program, which the engine shows without a stack. `subject`: `Webhook "name"`. */
export function programError(code: ErrorCode, subject: string, problem: string, fix?: string): pulumi.RunError {
  return runError(`${subject}: ${errorMessage(code, problem, fix)}`);
}

/** What every constructor needs. The SDK would report a missing name with its own stack. */
export function rejectMissing(kind: string, name: unknown, args: object | null | undefined): void {
  if (typeof name !== "string" || name === "")
    throw programError("ESIGN1060", kind, `the name is missing: write new ${kind}("name", …)`);
  if (args === undefined || args === null)
    throw programError("ESIGN1060", `${kind} "${name}"`, "arguments are missing");
}

/** An error that the engine shows without a stack. */
export function runError(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  // The SDK formats the stack all the same, and Node 20.20 takes half a minute for a frame of node_modules/@pulumi.
  error.stack = `${error.name}: ${message}`;
  return error;
}
