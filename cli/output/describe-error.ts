/** Errors as people should read them, and the exit codes of those that have none themselves. */

import { withAllNames } from "../../provider/core/setting-names";
import { describeSystemError } from "./describe-system-error";
import { ExitError, UsageError } from "./errors";
import { Exit, type ExitCode } from "./exit-codes";
import { isVerbose } from "./terminal";

/** By name, not by class: the rooms that declare these errors need not be loaded to report another. */
export function describe(error: Error): { lines: string[]; exitCode: ExitCode } {
  if (error instanceof UsageError) return { lines: error.message.split("\n"), exitCode: error.exitCode };
  if (["UnknownCompany", "FolderError", "HtmlLimitError"].includes(error.name))
    return { lines: error.message.split("\n"), exitCode: Exit.usage };
  if (error.name === "EngineError") {
    const code = (error as Error & { code?: string }).code;
    return { lines: error.message.split("\n"), exitCode: exitCodes[code ?? ""] ?? Exit.usage };
  }
  if (isClientError(error)) {
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
  if (!(error instanceof Error) || !isClientError(error) || error.kind !== "input") return undefined;
  return error.issues ?? [{ path: "", message: error.message }];
}

/** What sdk's errors have in common. */
interface ClientError extends Error {
  kind: string;
  issues?: { path: string; message: string }[];
  explain(): { fix: string };
}

const isClientError = (error: Error): error is ClientError => "kind" in error && "explain" in error;
