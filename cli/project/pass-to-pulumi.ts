/** Passes commands on stacks to the Pulumi CLI if it is the engine. */
import type { Command } from "commander";
import { commandLine } from "../engine/command-line";
import { runPulumi, stripOwnFlags } from "../engine/pulumi-cli";
import { ExitError } from "../output/errors";
import { Exit } from "../output/exit-codes";
import { errorColours, note } from "../output/terminal";
import { localPassphraseEnv } from "./local-passphrase";
import { engineOption, type StackSelection, selectEngine, selectedStack, stackOption } from "./open-project";
import { projectFolder } from "./project-files";
import { recordBackendForPulumi } from "./record-backend";

/** Makes arguments of `esign` those of the CLI, which has something under another name. */
export type Translate = (args: string[], options: Record<string, unknown>) => string[];

/**
 * Adds the options that every command on a stack has. Its action is the built-in engine's; what is to be checked for both
 * is a hook that was added before.
 */
export function stackCommand(command: Command, translate: Translate = (args) => args): Command {
  return engineOption(stackOption(command)).hook("preAction", async (_, action) => {
    const options = action.opts<StackSelection>();
    const choice = selectEngine(options);
    if (choice.engine !== "pulumi") return;
    note(errorColours.dim(choice.note));
    const project = projectFolder();
    await recordBackendForPulumi(project);
    const stack = options.stack ?? (await selectedStack()) ?? "";
    const env = { ...process.env, ...(await localPassphraseEnv(project, stack)) };
    await runPulumi(choice.path, translate(argumentsFrom(groupOf(action)), action.opts()), env);
    throw new ExitError(Exit.ok);
  });
}

/** The first word of the command. */
const groupOf = (command: Command): string => (command.parent?.parent ? groupOf(command.parent) : command.name());

/** The command line from its first word on. */
function argumentsFrom(group: string): string[] {
  // Own flags first: a folder of --cwd may be called like the command.
  const args = stripOwnFlags(commandLine());
  const at = args.indexOf(group);
  // Global options of both, such as --color, may stand before the command; what comes behind -- is no option.
  const [named, globals] = [args.slice(at), args.slice(0, at)];
  const end = named.indexOf("--");
  return end < 0 ? [...named, ...globals] : named.toSpliced(end, 0, ...globals);
}

/** The group's own command, which the CLI runs where none is named. */
export const withoutSubcommand =
  (name: string): Translate =>
  ([group = "", ...args]) => [group, ...(args[0] === name ? args.slice(1) : args)];

/** The command line without some words. */
export const withoutArgs =
  (...words: string[]): Translate =>
  (args) =>
    args.filter((arg) => !words.includes(arg));
