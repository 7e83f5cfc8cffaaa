/** `esign cancel`: removes the lock of a run that was killed. */
import type { Command } from "commander";
import { note } from "../output/terminal";
import {
  confirmOrExit,
  onlyStackName,
  openProject,
  openStack,
  runWithPulumi,
  type SessionOptions,
  withStackOptions,
} from "../project/session";

export function addCancel(program: Command): void {
  withStackOptions(program.command("cancel").description("Remove the lock that a killed run left on a stack."))
    .argument("[stack]", "the stack; default: the selected one")
    .option("-y, --yes", "do it without asking")
    .action(cancel);
}

async function cancel(name: string | undefined, options: SessionOptions & { yes?: boolean }): Promise<void> {
  if (await runWithPulumi("cancel", options)) return;
  const stack = await openStack(await openProject(), { stack: onlyStackName(name, options) });
  const locks = await stack.locks();
  if (locks.length === 0) {
    note(`Stack ${stack.name} is not locked.`);
    return;
  }
  const { describeLock } = await import("../../engine/backend/lock.js");
  for (const lock of locks)
    note(`Locked by ${describeLock(lock)}. ${lock.stale ? "It has ended." : "It may still be running."}`);
  if (locks.some((lock) => !lock.stale)) {
    await confirmOrExit("A run that goes on without its lock can damage the state. Remove the lock?", options.yes);
  }
  const count = await stack.cancel();
  note(`${count === 1 ? "The lock was" : `${count} locks were`} removed.`);
}
