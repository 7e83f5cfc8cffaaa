/** `esign rollback`: an earlier deployment of the stack's history, applied as an ordinary `up` without the program. */
import { type Command, InvalidArgumentError } from "commander";
import type { DeployOptions } from "../deploy/run-options";
import { engineOption, stackOption } from "../project/open-project";
import { deploy } from "./deploy/index";

const help = `
Resources that were created since are deleted, unless they are protected.

Examples:
  $ esign stack history         the versions
  $ esign rollback              undo the last update
  $ esign rollback 7 --diff
  $ esign rollback --preview-only`;

export function addRollback(program: Command): void {
  const command = program
    .command("rollback")
    .description("Preview an earlier deployment of the stack's history, ask, then apply it.")
    .argument("[version]", "one of `esign stack history` (default: the one before the last update)", parseVersion);
  stackOption(command.optionsGroup("Common:"))
    .option("-y, --yes", "apply without asking")
    .option("--preview-only", "only show what would change")
    .option("--diff", "show all changes in full, and inputs of what is created or deleted")
    .option("-r, --refresh", "read the account first")
    .option("--expect-no-writes", "exit with 7 if the account would be written to, before it is")
    .option("--local", "use the local emulator (data in .esign/service.json)")
    .option("-j, --json", "one event per line, as JSON")
    .optionsGroup("Advanced:")
    .option("-m, --message <text>", "a message for the history")
    .option("--show-sames", "show unchanged resources, too")
    .option("--show-secrets", "show the values of secrets");
  engineOption(command.optionsGroup("Engine:"));
  command.addHelpText("after", help).action((version: number | undefined, options: DeployOptions) => {
    return deploy("up", { ...options, rollback: version ?? "previous" });
  });
}

function parseVersion(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError("It must be the number of a version, as `esign stack history` lists them.");
  return Number(text);
}
