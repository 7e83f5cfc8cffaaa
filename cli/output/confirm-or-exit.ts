/** The question before an action that cannot be undone. */
import { ExitError, UsageError } from "./errors";
import { Exit } from "./exit-codes";
import { confirm, isInteractive } from "./terminal";

/** Without a terminal, `--yes` is required. */
export async function confirmOrExit(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!isInteractive()) throw new UsageError(`stdin is not a terminal: add --yes to answer "${question}"`);
  if (!(await confirm(question))) throw new ExitError(Exit.cancelled);
}
