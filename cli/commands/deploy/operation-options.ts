/** The options of an operation on a stack that the Pulumi CLI has, too: those of `esign`, and of its command for the Automation API. */
import { type Command, Option } from "commander";
import type { DeployVerb } from "../../deploy/run-options";
import { positiveInteger } from "../../option-values";
import { stackOption } from "../../project/open-project";

const collect = (value: string, before: string[] = []) => [...before, value];

/** @param flag makes an option that is on or off, of which the Automation API passes the value */
export function addOperationOptions(command: Command, verb: DeployVerb, flag = plainFlag): void {
  addCommonOptions(command.optionsGroup("Common:"), verb, flag);
  addSelectionOptions(command.optionsGroup("Selection:"), verb);
  addAdvancedOptions(command.optionsGroup("Advanced:"), verb, flag);
}

type Flag = (name: string, text: string) => Option;
const plainFlag: Flag = (name, text) => new Option(name, text);

function addCommonOptions(command: Command, verb: DeployVerb, flag: Flag): void {
  stackOption(command);
  if (verb !== "preview") {
    command
      .option("-y, --yes", "apply without asking")
      .option("-f, --skip-preview", "apply without a preview")
      .addOption(new Option("--preview-only", "only show what would change").hideHelp());
  }
  command.option("--diff", "show all changes in full, and inputs of what is created or deleted");
  if (verb !== "refresh") command.addOption(flag("-r, --refresh", "read the account first"));
  if (verb === "up" || verb === "preview")
    command.option("-c, --config <key=value>", "set a value in the stack's configuration; repeatable", collect);
  if (verb === "preview") command.option("--save-plan <file>", "write the plan to a file, for `up --plan`");
  if (verb === "up") command.option("--plan <file>", "apply exactly the plan of `preview --save-plan`, or refuse");
  command
    .option("--expect-no-changes", "exit with 7 if there are changes")
    .option("-j, --json", "one event per line, as JSON");
}

function addSelectionOptions(command: Command, verb: DeployVerb): void {
  command
    .option("-t, --target <urn>", "only this resource; repeatable, * and ** match", collect)
    .option("-x, --exclude <urn>", "all but this resource; repeatable, * and ** match", collect)
    .option("--target-dependents", "with --target: also what depends on it")
    .option("--exclude-dependents", "with --exclude: not what depends on it either");
  if (verb === "up" || verb === "preview") {
    command
      .option("--replace <urn>", "replace this resource; repeatable", collect)
      .option("--target-replace <urn>", "the same as --target <urn> --replace <urn>", collect);
  }
  if (verb === "destroy") command.option("--exclude-protected", "all but protected resources and their dependencies");
}

function addAdvancedOptions(command: Command, verb: DeployVerb, flag: Flag): void {
  command
    .option("-p, --parallel <n>", "operations at once", positiveInteger)
    .option("-m, --message <text>", "a message for the history")
    .option("--show-sames", "show unchanged resources, too")
    .option("--show-secrets", "show the values of secrets");
  if (verb === "up" || verb === "preview") {
    command
      .option("--policy-pack <folder>", "enforce the policies of this pack; repeatable", collect)
      .option("--policy-pack-config <file>", "their configuration, as JSON; one for each pack", collect);
  }
  if (verb === "up" || verb === "destroy")
    command.option("--continue-on-error", "continue with what does not depend on a failure");
  if (verb === "refresh") command.option("--clear-pending-creates", "drop interrupted creations from the state");
  const program =
    verb === "refresh" || verb === "destroy"
      ? "run the program, to use the current configuration"
      : "with --refresh: read the account with the current configuration";
  command.addOption(flag("--run-program", program));
}
