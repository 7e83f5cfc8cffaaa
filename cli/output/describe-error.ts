/** Errors as people should read them, and the exit codes of those that have none themselves. */

import { AccountInputError } from "../../account-folder/account-input-error";
import { withAllNames } from "../../provider/core/setting-names";
import { EsignError, InputError } from "../../sdk/errors";
import { describeSystemError } from "./describe-system-error";
import { ExitError, UsageError } from "./errors";
import { Exit, type ExitCode } from "./exit-codes";
import { isVerbose } from "./terminal";

export function describe(error: Error): { lines: string[]; exitCode: ExitCode } {
  if (error instanceof UsageError) return { lines: error.message.split("\n"), exitCode: error.exitCode };
  if (error instanceof AccountInputError) return { lines: error.message.split("\n"), exitCode: Exit.usage };
  // By the name that its class gives it: the engine need not be loaded to report another error.
  if (error.name === "EngineError") {
    const code = (error as Error & { code?: string }).code;
    return { lines: error.message.split("\n"), exitCode: exitCodes[code ?? ""] ?? Exit.usage };
  }
  if (error instanceof EsignError) {
    const issues = inputIssues(error);
    if (issues !== undefined) {
      const lines = issues.map(({ path, message }) => `    ${path === "" ? "" : `${path} `}${message}`);
      return { lines: ["invalid input (no request was sent)", ...lines], exitCode: Exit.usage };
    }
    return { lines: [...error.message.split("\n"), `    ${withAllNames(error.explain().fix)}`], exitCode: Exit.failed };
  }
  // A defect of this program or of the machine: the stack trace tells where.
  const stack = isVerbose() ? (error.stack ?? "").split("\n").slice(1) : [];
  return { lines: [...(describeSystemError(error) ?? [error.message]), ...stack], exitCode: Exit.failed };
}

/** For commands whose exit code 1 is a result: every error ends with 2. */
export const asUsageError = (error: unknown): Error =>
  error instanceof ExitError ? error : new UsageError(describe(error as Error).lines.join("\n"));

/** Of the engine's errors; the others are errors of usage. */
const exitCodes: Record<string, ExitCode> = {
  locked: Exit.failed,
  integrity: Exit.failed,
  "not-selected": Exit.failed,
  "no-stack": Exit.noStack,
};

/** The issues of an error of input; undefined for any other error. */
export function inputIssues(error: unknown): readonly { path: string; message: string }[] | undefined {
  return error instanceof InputError ? error.issues : undefined;
}
