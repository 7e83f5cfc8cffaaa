/** `config …` as `esign` has it, where the Automation API expects something else. */
import type { Command } from "commander";
import { addConfig as addOwnConfig } from "../commands/stack/config";
import { UsageError } from "../output/exit-codes";
import { openProject, openStack, type SessionOptions, withStackOptions } from "../project/session";

export function addConfig(program: Command): void {
  addOwnConfig(program);
  const config = program.commands.find((command) => command.name() === "config") as Command;
  const remove = config.commands.find((command) => command.name() === "rm") as Command;
  remove.action(removeIfSet);
  const environments = () => {
    throw new UsageError("file backends have no environments of Pulumi ESC. Use the Pulumi CLI with its cloud");
  };
  config
    .command("env")
    .argument("[words...]")
    .option("--json")
    .option("-y, --yes")
    .option("-s, --stack <name>")
    .action(environments);
  withStackOptions(config.command("refresh"))
    .option("-f, --force")
    .action(() => {
      throw new UsageError(
        "the built-in engine keeps no copy of the configuration with the deployments: config refresh needs the Pulumi CLI",
      );
    });
}

async function removeIfSet(
  key: string,
  { path = false, ...options }: SessionOptions & { path?: boolean },
): Promise<void> {
  const stack = await openStack(await openProject(), options);
  await stack.config.removeAll([key], { path });
}
