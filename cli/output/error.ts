/** Errors as people should read them, and the exit code that each means. */
import { Exit, type ExitCode, ExitError, UsageError } from "./exit-codes";
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
    return { lines: [...error.message.split("\n"), `    ${error.explain().fix}`], exitCode: Exit.failed };
  }
  // A defect of this program or of the machine: the stack trace tells where.
  const stack = isVerbose() ? (error.stack ?? "").split("\n").slice(1) : [];
  return { lines: [error.message, ...remedyFor(error), ...stack], exitCode: Exit.failed };
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

const barred = "Make it readable and writable for you";
const occupied = "Something else has this name: move it away";
const noTemporary = "Set TMPDIR to a folder that exists, and that you may write to";
const full = "Free disk space, then rerun the command";
const remedies: Record<string, string> = {
  EACCES: barred,
  EPERM: barred,
  EROFS: barred,
  ENOTDIR: occupied,
  EISDIR: occupied,
  EEXIST: occupied,
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: full,
};

/** What to do about a file or a folder that cannot be used. */
function remedyFor({ code, syscall, path }: NodeJS.ErrnoException): string[] {
  const isTemporary = syscall === "mkdtemp" && ["ENOENT", "ENOTDIR"].includes(code ?? "");
  const remedy = isTemporary ? noTemporary : syscall === undefined ? undefined : remedies[code ?? ""];
  if (remedy === undefined) return [];
  const isState = path?.split(/[\\/]/).includes(".pulumi") ?? false;
  return [`    ${remedy}${isState ? ", or keep states elsewhere: PULUMI_BACKEND_URL=file://<folder>" : ""}.`];
}

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
