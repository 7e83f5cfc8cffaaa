/** `esign stack init`, `ls`, `select`, `rename` and `rm`: the stacks of a project. */
import type { Stack } from "../../../engine/index";
import { confirmOrExit } from "../../output/confirm-or-exit";
import { UsageError } from "../../output/errors";
import { formatStacks, printJson } from "../../output/json-formats";
import { table } from "../../output/table";
import { errorColours, isVerbose, note, print } from "../../output/terminal";
import { chooseStack, onlyStackName, openStack } from "../../project/choose-stack";
import { openProject } from "../../project/open-project";
import { recordBackend } from "../../project/record-backend";
import { forgetPendingCreates, rejectPendingCreates } from "../../project/stack-pending-creates";
import type { StackOptions } from "./options";

export async function init(name: string | undefined, options: StackOptions): Promise<void> {
  const wanted = onlyStackName(name, options);
  if (wanted === undefined) throw new UsageError("the new stack needs a name: esign stack init dev");
  const project = await openProject();
  await recordBackend(project);
  await project.initStack(wanted);
  const selected =
    options.select === false ? "" : await project.selectStack(wanted).then(() => " and selected", notSelected);
  note(`Created${selected} stack "${wanted}".${isVerbose() ? ` State: ${project.backend.folder}` : ""}`);
}

/** The stack exists even if the selection cannot be saved: a warning. */
function notSelected(error: Error & { code?: string }): string {
  if (error.code !== "not-selected") throw error;
  note(errorColours.yellow(`warning: ${error.message}`));
  return "";
}

export async function list(options: StackOptions): Promise<void> {
  const project = await openProject();
  const stacks = await project.listStacks();
  for (const { lost } of stacks) if (lost !== undefined) note(errorColours.yellow(`warning: ${lost}`));
  if (options.json) printJson(formatStacks(stacks));
  else if (stacks.length === 0)
    note(`No stacks in project "${project.name}" (${project.backend.folder}). Create one: esign stack init dev`);
  else {
    const rows = stacks.map((s) => [
      s.name + (s.current ? "*" : ""),
      s.lastUpdate ?? "unknown",
      String(s.resourceCount ?? "unknown"),
    ]);
    print(table(["NAME", "LAST UPDATE", "RESOURCES"], rows));
  }
}

export async function select(reference: string | undefined, options: StackOptions): Promise<void> {
  const project = await openProject();
  const name = onlyStackName(reference, options) ?? (await chooseStack(project, "no stack is named"));
  if (options.create && !(await project.listStacks()).some((stack) => stack.name === name)) {
    await recordBackend(project);
    await project.initStack(name);
  }
  await project.selectStack(name);
  note(`Selected stack "${name}".`);
}

export async function rename(name: string, options: StackOptions): Promise<void> {
  const project = await openProject();
  const { name: from } = await openStack(project, options);
  const selected = await project.renameStack(from, name).then(() => ", and selected it", notSelected);
  note(`Renamed stack "${from}" to "${name}"${selected}.`);
}

export async function remove(name: string | undefined, options: StackOptions): Promise<void> {
  const project = await openProject();
  const stack: Stack = await openStack(project, { stack: onlyStackName(name, options) });
  const ofProgram = { name: stack.name, programDirectory: project.programDirectory };
  if (!options.force) rejectPendingCreates(ofProgram, " Or use --force to remove the stack and leave it there.");
  await stack.remove({
    confirm: () =>
      confirmOrExit(
        `Remove stack ${stack.name}, its history and its configuration? This cannot be undone.`,
        options.yes,
      ),
    force: options.force ?? false,
    preserveConfig: options.preserveConfig ?? false,
  });
  forgetPendingCreates(ofProgram);
  note(`Removed stack "${stack.name}".`);
}
