/** What an interrupted run over a fleet has begun may still be in progress, and holds the lock of its stack. */
import { OperationError } from "../engine/operation-error";
import type { CustomerStack } from "./customer-stacks";
import type { FleetOperation, FleetWorkspace } from "./fleet-workspace";
import type { Journal } from "./journal";
import type { OnWait } from "./stack/stack-display";

/** How long to wait for an operation that outlived the run that began it, and how often to look. */
const [waitForOrphan, lookAgain] = [60_000, 2_000];

/** Runs an operation on one stack. Waits for the end of the one that an interrupted run may have left there. */
export async function runUnlocked(
  operation: FleetOperation,
  customerStack: CustomerStack,
  { workspace, journal, onWait }: { workspace: FleetWorkspace; journal: Journal; onWait: OnWait },
) {
  const mayBeOrphaned = journal.past?.interrupted.has(customerStack.stack) ?? false;
  for (let since: number | undefined; ; ) {
    try {
      return await workspace.run(operation, customerStack, onWait);
    } catch (error) {
      const isLocked = error instanceof OperationError && error.isLocked;
      if (!isLocked || !mayBeOrphaned || performance.now() - (since ?? performance.now()) > waitForOrphan) throw error;
      if (since === undefined) onWait(lockedText(customerStack));
      since ??= performance.now();
      await new Promise((done) => setTimeout(done, lookAgain));
    }
  }
}

const lockedText = ({ stack }: CustomerStack): string =>
  `locked by an operation of the interrupted run; waiting up to ${waitForOrphan / 1000} s for its end (if it no longer runs: \`esign cancel --stack ${stack}\`)`;
