/** The end of a command that failed. */
import { CommanderError } from "commander";
import { shortestOwnKey } from "../../redaction/shortest-secrets";
import { ExitError } from "./errors";
import { Exit } from "./exit-codes";

/** Has an error printed, unless that was done where it occurred; resolves to the exit code. */
export async function reportError(
  error: unknown,
  print: (lines: readonly string[], error: Error) => void,
): Promise<number> {
  if (error instanceof ExitError) return error.exitCode;
  // Commander has printed it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? Exit.ok : Exit.usage;
  const failure = error instanceof Error ? error : new Error(String(error));
  const { describe } = await import("./describe-error.js");
  const { lines, exitCode } = describe(failure);
  const { SecretTexts } = await import("../../redaction/secret-texts.js");
  const keys = new SecretTexts();
  for (const [name, value = ""] of Object.entries(process.env))
    if (/^ESIGN_(?:\w+_)?API_KEY$/.test(name) && value.length >= shortestOwnKey)
      // Code of users may say what it has: a module of customers, a program.
      keys.add(value);
  print(
    lines.map((line) => keys.replace(line, "[redacted]")),
    failure,
  );
  return exitCode;
}
