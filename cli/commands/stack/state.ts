/** `esign state …`: edits of single resources in the state. The account is never touched. */

import type { Command } from "commander";
import { plural } from "../../../definitions/text/display";
import type { Stack } from "../../../engine/index";
import { confirmOrExit } from "../../output/confirm-or-exit";
import { UsageError } from "../../output/errors";
import { note } from "../../output/terminal";
import { openStack } from "../../project/choose-stack";
import { openProject, type StackSelection } from "../../project/open-project";
import { stackCommand } from "../../project/pass-to-pulumi";

interface StateOptions extends StackSelection {
  all?: boolean;
  yes?: boolean;
  force?: boolean;
  targetDependents?: boolean;
}

/** Edits that set or remove a mark: verb, what it does, and what it did. */
const marks = {
  protect: ["Protect resources from deletion.", "protected"],
  unprotect: ["Allow resources to be deleted again.", "no longer protected"],
  taint: ["Replace resources in the next `up`.", "tainted"],
  untaint: ["Remove the taint of resources.", "no longer tainted"],
} as const;
type Mark = keyof typeof marks;

export function addState(program: Command): void {
  const state = program
    .command("state")
    .description("Edit single resources in the state. The account is not changed; the old state is in the backups.");
  for (const mark of Object.keys(marks) as Mark[]) addMark(state, mark, false);
  stackCommand(
    state.command("rename <urn> <name>").description("Rename a resource in the state, as the program renamed it."),
  )
    .option("-y, --yes", "do not ask")
    .action(rename);
  stackCommand(
    state.command("delete <urn>").description("Delete a resource from the state. The object stays in the account."),
    // Only one name of the three is Pulumi's.
    ([group = "", , ...args]) => [group, "delete", ...args],
  )
    .aliases(["rm", "remove"])
    .option("--force", "even if it is protected")
    .option("--target-dependents", "also the resources that depend on it")
    .option("-y, --yes", "do not ask")
    .action(deleteFromState);
}

/** `esign stack unprotect`: hidden, the same as `esign state unprotect --all`. */
export const addUnprotect = (stack: Command): void => addMark(stack, "unprotect", true);

function addMark(parent: Command, mark: Mark, inStack: boolean): void {
  const command = parent.command(`${mark} [urns...]`, { hidden: inStack }).description(marks[mark][0]);
  command.hook("preAction", () => {
    if (command.args.length > 0 || command.opts().all) return;
    throw new UsageError(`no resource: pass URNs, or --all. "esign stack --show-urns" lists the URNs.`);
  });
  stackCommand(command, ([, ...args]) => ["state", ...args])
    .option("--all", "all resources of the stack")
    .option("-y, --yes", "do not ask")
    .action(async (urns: string[], options: StateOptions) => {
      const stack: Stack = await openStack(await openProject(), options);
      const which = urns.length > 0 ? urns : ("all" as const);
      if (which === "all")
        await confirmOrExit(`${marks[mark][0].slice(0, -1)}: all of stack ${stack.name}?`, options.yes);
      const count = await stack.state[mark](which);
      note(`${plural(count, "resource")} ${count === 1 ? "is" : "are"} ${marks[mark][1]}.`);
    });
}

async function rename(urn: string, name: string, options: StateOptions): Promise<void> {
  const stack = await openStack(await openProject(), options);
  await stack.state.rename(urn, name);
  note("Renamed.");
}

async function deleteFromState(urn: string, options: StateOptions): Promise<void> {
  const stack = await openStack(await openProject(), options);
  await stack.state.delete(urn, {
    confirm: () => confirmOrExit(`Delete ${urn} from the state? The object stays in the account.`, options.yes),
    force: options.force ?? false,
    targetDependents: options.targetDependents ?? false,
  });
  note("Deleted from the state.");
}
