/** The commands `config …` of `esign`, changed where the Automation API expects something else. */
import type { Command } from "commander";
import { addConfig as addOwnConfig } from "../commands/stack/config";
import { openStack } from "../project/choose-stack";
import { openProject, type StackSelection } from "../project/open-project";

export function addConfig(program: Command): void {
  addOwnConfig(program);
  const config = program.commands.find((command) => command.name() === "config") as Command;
  const remove = config.commands.find((command) => command.name() === "rm") as Command;
  remove.action(removeIfSet);
}

async function removeIfSet(
  key: string,
  { path = false, ...options }: StackSelection & { path?: boolean },
): Promise<void> {
  const stack = await openStack(await openProject(), options);
  await stack.config.removeAll([key], { path });
}
