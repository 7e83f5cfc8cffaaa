import * as pulumi from "@pulumi/pulumi";
import { type ErrorCode, errorMessage } from "../core/error-codes";

/** An error of the program, which the engine shows without a stack. `subject`: `Webhook "name"`. */
export function programError(code: ErrorCode, subject: string, problem: string, fix?: string): pulumi.RunError {
  return runError(`${subject}: ${errorMessage(code, problem, fix)}`);
}

/** An error that the engine shows without a stack. */
export function runError(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  // The SDK formats the stack all the same, and Node 20.20 takes half a minute for a frame of node_modules/@pulumi.
  error.stack = `${error.name}: ${message}`;
  return error;
}
