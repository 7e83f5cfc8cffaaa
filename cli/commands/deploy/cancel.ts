/** `esign cancel`: removes the lock that a killed run left. */
import type { Command } from "commander";
import { confirmOrExit } from "../../output/confirm-or-exit";
import { note } from "../../output/terminal";
import { onlyStackName, openStack } from "../../project/choose-stack";
import { openProject, type StackSelection } from "../../project/open-project";
import { stackCommand } from "../../project/pass-to-pulumi";

export function addCancel(program: Command): void {
  stackCommand(program.command("cancel").description("Remove the lock that a killed run left on a stack."))
    .argument("[stack]", "the stack (default: the selected one)")
    .option("-y, --yes", "do not ask")
    .action(cancel);
}

async function cancel(name: string | undefined, options: StackSelection & { yes?: boolean }): Promise<void> {
  const stack = await openStack(await openProject(), { stack: onlyStackName(name, options) });
  const locks = await stack.locks();
  if (locks.length === 0) {
    note(`Stack ${stack.name} is not locked.`);
    return;
  }
  const { describeLock } = await import("../../../engine/index.js");
  for (const lock of locks)
    note(`Locked by ${describeLock(lock)}, which ${lock.stale ? "is no longer running" : "may still be running"}.`);
  if (locks.some((lock) => !lock.stale)) {
    await confirmOrExit("Without its lock a running deployment can damage the state. Remove the lock?", options.yes);
  }
  const count = await stack.cancel();
  note(`Removed ${count === 1 ? "the lock" : `${count} locks`}.`);
}
