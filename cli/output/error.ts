/** Errors as people should read them, and the exit code that each means. */
import { Exit, type ExitCode, ExitError, UsageError } from "./exit-codes";

/** By name, not by class: the rooms that declare these errors need not be loaded to report another. */
export function describe(error: Error): { lines: string[]; exitCode: ExitCode } {
  if (error instanceof UsageError) return { lines: error.message.split("\n"), exitCode: error.exitCode };
  if (error.name === "UnknownCompany") return { lines: [error.message], exitCode: Exit.usage };
  if (error.name === "EngineError") {
    const code = (error as Error & { code?: string }).code;
    return { lines: error.message.split("\n"), exitCode: exitCodes[code ?? ""] ?? Exit.usage };
  }
  if (isClientError(error)) {
    const issues = error.issues ?? [];
    if (error.kind === "input" && issues.length > 1) {
      const lines = issues.map(({ path, message }) => `    ${path === "" ? "" : `${path} `}${message}`);
      return { lines: ["nothing was sent, since", ...lines], exitCode: Exit.usage };
    }
    if (error.kind === "input") return { lines: [`nothing was sent: ${error.message}`], exitCode: Exit.usage };
    return { lines: [...error.message.split("\n"), `    ${error.explain().fix}`], exitCode: Exit.failed };
  }
  // A defect of ours, or of the machine: the stack says where.
  const stack = process.env.ESIGN_DEBUG ? (error.stack ?? "").split("\n").slice(1) : [];
  return { lines: [error.message, ...remedyFor(error), ...stack], exitCode: Exit.failed };
}

/** For commands whose exit code 1 is an answer: whatever went wrong is told, and ends with 2. */
export const asUsageError = (error: unknown): Error =>
  error instanceof ExitError ? error : new UsageError(describe(error as Error).lines.join("\n"));

/** Of the engine's errors; the others are the user's to put right before anything is done. */
const exitCodes: Record<string, ExitCode> = {
  locked: Exit.failed,
  integrity: Exit.failed,
  "not-selected": Exit.failed,
  "no-stack": Exit.noStack,
};

const barred = "Make it readable and writable for you";
const occupied = "Something else is in its place: move that away";
const full = "Make room on the disk, then run the same command again";
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

/** What to do about a file or a folder that the system does not let us use. */
function remedyFor({ code, syscall, path }: NodeJS.ErrnoException): string[] {
  const remedy = syscall === undefined ? undefined : remedies[code ?? ""];
  if (remedy === undefined) return [];
  const isState = path?.split(/[\\/]/).includes(".pulumi") ?? false;
  return [`    ${remedy}${isState ? ", or keep states elsewhere: PULUMI_BACKEND_URL=file://<folder>" : ""}.`];
}

/** What sdk's errors have in common. */
interface ClientError extends Error {
  kind: string;
  issues?: { path: string; message: string }[];
  explain(): { fix: string };
}

const isClientError = (error: Error): error is ClientError => "kind" in error && "explain" in error;
