/** An error of an engine in this process, as one that was another process would have ended. */
import type { EngineError } from "../../../engine/index";
import { OperationError } from "../../engine/operation-error";
import { describe } from "../../output/describe-error";
import { ExitError } from "../../output/errors";
import { missingValueOf, withCustomersFile } from "../missing-value";

export function asOperationError(error: unknown): OperationError {
  if (error instanceof OperationError) {
    if (error.hasReason) error.message = withCustomersFile(error.message);
    return error;
  }
  const cause = error instanceof Error ? error : new Error(String(error));
  const message = cause instanceof ExitError ? undefined : (missingValueOf(cause) ?? describe(cause).lines.join("\n"));
  return new OperationError(message, (cause as Partial<EngineError>).code === "locked");
}
