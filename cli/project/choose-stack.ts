/** Which stack of a project a command is about. */
import { plainStackName } from "../../engine/config/stack-names";
import type { Project, Stack } from "../../engine/index";
import { UsageError } from "../output/errors";
import { Exit } from "../output/exit-codes";
import { ask, errorColours, isInteractive, note } from "../output/terminal";
import type { StackSelection } from "./open-project";

/** Opens the stack of a command: the named one, else the selected one, else one that the user chooses. */
export async function openStack(project: Project, options: StackSelection): Promise<Stack> {
  const name = options.stack ?? (await project.currentStack()) ?? (await chooseStack(project));
  return project.openStack(name);
}

/** The stack's name from the command's argument or from --stack. Both at once are an error. */
export function onlyStackName(name: string | undefined, { stack }: StackSelection): string | undefined {
  if (name !== undefined && stack !== undefined)
    throw new UsageError(`two stacks: the argument is ${name}, and --stack is ${stack}; name one`);
  return name ?? stack;
}

/** The part of a project that is needed to list its stacks, from the Pulumi CLI or the built-in engine. */
interface ListedProject {
  name: string;
  backend?: { folder: string };
  listStacks(): Promise<{ name: string }[]>;
}

/** @param reason why the user chooses */
export async function chooseStack(project: ListedProject, reason = "no stack is selected"): Promise<string> {
  const names = (await project.listStacks()).map((stack) => stack.name);
  if (names.length === 0) {
    const folder = project.backend === undefined ? "" : ` (${project.backend.folder})`;
    throw new UsageError(
      `no stacks in project "${project.name}"${folder}. Create one: esign stack init dev`,
      Exit.noStack,
    );
  }
  const wanted = `${reason}; the project has ${names.join(", ")}: use --stack <name>, or "esign stack select ${names[0]}"`;
  if (!isInteractive()) throw new UsageError(wanted, Exit.noStack);
  names.forEach((name, i) => {
    note(`  ${i + 1}  ${name}`);
  });
  const answer = await ask("Which stack? ");
  const name = names.includes(answer) ? answer : names[Number(answer) - 1];
  if (name === undefined) throw new UsageError(wanted);
  return name;
}

/** The stack to run on. A missing one is created: without a question if `automatic`, else if a person names a first one. */
export async function openOrCreateStack(project: Project, options: StackSelection, automatic: boolean): Promise<Stack> {
  const stacks = await project.listStacks();
  const name = options.stack;
  if (automatic && name !== undefined && !stacks.some((stack) => stack.name === plainStackName(name))) {
    const stack = await project.initStack(name);
    note(errorColours.dim(`Created stack "${name}".`));
    return stack;
  }
  if (stacks.length === 0 && name === undefined && isInteractive()) {
    const first = (await ask(`Project ${project.name} has no stack yet. Name of the first (dev): `)) || "dev";
    return project.initStack(first);
  }
  return openStack(project, options);
}
