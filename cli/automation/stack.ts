/** The commands `stack …` of `esign`, changed where the Automation API parses the output. */
import type { Command } from "commander";
import { addStack as addOwnStack } from "../commands/stack/index";
import type { StackOptions } from "../commands/stack/options";
import { print } from "../output/terminal";
import { openStack } from "../project/choose-stack";
import { openProject } from "../project/open-project";

export function addStack(program: Command): void {
  addOwnStack(program);
  const stack = program.commands.find((command) => command.name() === "stack") as Command;
  const rename = stack.commands.find((command) => command.name() === "rename") as Command;
  rename.action(renameStack);
}

async function renameStack(to: string, options: StackOptions): Promise<void> {
  const project = await openProject();
  const { name: from } = await openStack(project, options);
  const { name } = await project.renameStack(from, to);
  print(`Renamed ${from} to ${name}`);
}
