import * as pulumi from "@pulumi/pulumi";
import { type ErrorCode, errorMessage } from "../core/error-codes";

/** An error of the program, which the engine shows without a stack. `subject`: `Webhook "name"`. */
export function programError(code: ErrorCode, subject: string, problem: string, fix?: string): pulumi.RunError {
  return new pulumi.RunError(`${subject}: ${errorMessage(code, problem, fix)}`);
}
