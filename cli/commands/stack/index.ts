/** `esign stack …`: its commands and their options. */
import { type Command, Option } from "commander";
import { positiveInteger } from "../../option-values";
import { stackCommand, type Translate, withoutArgs, withoutSubcommand } from "../../project/pass-to-pulumi";
import { rejectUnknownCommand } from "../reject-unknown-command";
import { exportState, importState } from "./export-import";
import { init, list, remove, rename, select } from "./manage-stacks";
import type { StackOptions } from "./options";
import { history, output, resources, summarize } from "./show";
import { addUnprotect } from "./state";
import { addTags } from "./tags";
import { addWrites } from "./writes";

const examples = `
Examples:
  $ esign stack init staging
  $ esign stack output --json
  $ esign stack output webhookIds
  $ esign stack export --out state.json`;

/** The CLI shows them as a tree, and as JSON only with all the rest of the state. */
const asTree: Translate = (args, { json }) => {
  const [stack = "", ...rest] = withoutArgs("--json", "-j")(withoutSubcommand("resources")(args, {}), {});
  return json ? [stack, "export", ...rest] : [stack, "--show-urns", ...rest];
};

const toFile: Translate = (args) => args.map((arg) => arg.replace(/^(--out|-o)(?==|$)/, "--file"));

export function addStack(program: Command): void {
  const stack = program
    .command("stack")
    .description("Stacks are deployments of a project, such as staging. Without a command: show the current one.")
    .addHelpText("after", examples);
  const sub = (usage: string, summary: string, translate?: Translate) =>
    stackCommand(stack.command(usage).description(summary), translate);
  const json = (command: Command) => command.option("-j, --json", "as JSON");
  const showSecrets = (command: Command) => command.option("--show-secrets", "show the values of secrets");
  const yes = (command: Command) => command.option("-y, --yes", "do not ask");

  addSummary(stack);
  sub("init [name]", "Create a stack, and select it.").option("--no-select", "do not select it").action(init);
  json(sub("ls", "List the stacks of the project.")).action(list);
  sub("select [name]", "Select the stack to use by default.")
    .option("-c, --create", "create it if it does not exist")
    .action(select);
  sub("rename <name>", "Rename a stack, and select it.").action(rename);
  showSecrets(json(sub("output [name]", "Show the outputs of a stack, or one of them."))).action(output);
  showSecrets(json(sub("resources", "List the resources of a stack.", asTree))).action(resources);
  showSecrets(sub("export", "Export the state of a stack as JSON.", toFile))
    .option("-o, --out <path>", "to this file (default: stdout)")
    .addOption(new Option("--file <path>", "the same, as in the Pulumi CLI").hideHelp())
    .action(exportState);
  yes(sub("import", "Replace the state of a stack by an exported one.", withoutArgs("--yes", "-y")))
    .option("--file <path>", "from this file (default: stdin)")
    .option("-f, --force", "even if it is of another stack, or has errors")
    .action(importState);
  showSecrets(json(sub("history", "List the deployments of a stack, newest first.")))
    .option("--page-size <n>", "only so many", positiveInteger)
    .option("--page <n>", "with --page-size: the first page is 1", positiveInteger)
    .action(history);
  yes(sub("rm [name]", "Remove a stack, its history and its configuration."))
    .option("-f, --force", "even if it has resources; they stay in the account")
    .option("--preserve-config", "keep the configuration file")
    .action(remove);
  addTags(stack);
  addWrites(stack);
  addUnprotect(stack);
}

/** `esign stack`: the stack that the other commands use by default. */
function addSummary(stack: Command): void {
  stackCommand(stack.command("show", { isDefault: true, hidden: true }))
    .allowExcessArguments()
    .option("-u, --show-urns", "show the URNs of the resources")
    .option("--show-name", "show only the name of the stack")
    .option("--show-secrets", "show the values of secrets")
    .action(async (options: StackOptions, command: Command) => {
      rejectUnknownCommand(stack, command.args);
      await summarize(options);
    });
}
