/** Opens what commands on stacks work with: the project, the stack, its configuration and its passphrase. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { Project, Stack } from "../../engine/index";
import { chooseEngine, type EngineChoice, type EngineName, engineNames } from "../engine/choose-engine";
import { localProviders } from "../engine/local-providers";
import { Exit, ExitError, UsageError } from "../output/exit-codes";
import { ask, confirm, errorColours, isInteractive, note } from "../output/terminal";
import { hasPassphrase } from "./environment-passphrase";
import { localPassphrase } from "./local-passphrase";
import { localFolder, projectFolder, stackFile } from "./project-files";

export interface SessionOptions {
  stack?: string | undefined;
  engine?: EngineName;
}

/** Options that apply to every project which this process opens. */
interface SessionDefaults {
  engine?: EngineName;
  /** A file to use as the configuration of every stack. */
  configFile?: string;
  /** True if the project must say where its states are kept, instead of using the default folder. */
  needsBackend?: boolean;
}
let defaults: SessionDefaults = {};
export function setSessionDefaults(changes: SessionDefaults): void {
  defaults = { ...defaults, ...changes };
}

export const stackOption = (command: Command): Command =>
  command.option("-s, --stack <name>", "the stack (default: the selected one)");

export const engineOption = (command: Command): Command =>
  command.addOption(
    command
      .createOption("--engine <name>", "the Pulumi CLI if it is installed, or always this one")
      .choices(engineNames),
  );

export function selectEngine(options: SessionOptions): EngineChoice {
  return chooseEngine(options.engine ?? defaults.engine ?? "auto");
}

/** Prompts for the passphrase. */
const askPassphrase = async (purpose: "existing" | "new", stack: string): Promise<string> => {
  if (purpose === "existing") return ask(`Passphrase of stack ${stack}: `, { hidden: true });
  const first = await ask(
    `New passphrase to encrypt the secrets of stack ${stack} (keep it: without it they are lost): `,
    { hidden: true },
  );
  if (first !== (await ask("Repeat it: ", { hidden: true })))
    throw new UsageError("the passphrases differ; nothing was changed");
  return first;
};

/** Asks for the passphrase on behalf of the Pulumi CLI, which does not ask without a terminal. Returns variables for its environment. */
export async function passphraseEnv(stack: string, env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const isEncrypted = stackFile(projectFolder(), stack).encryptionsalt !== undefined;
  if (hasPassphrase(env) || !isEncrypted || !isInteractive()) return {};
  return { PULUMI_CONFIG_PASSPHRASE: await askPassphrase("existing", stack) };
}

/**
 * Opens the project in `from` or a folder above it. `env` is added to the environment. `asks`: whether the user may be asked for a
 * passphrase.
 */
export async function openProject(
  env: Record<string, string> = {},
  from?: string,
  { asks = isInteractive() } = {},
): Promise<Project> {
  const engine = await import("../../engine/index.js");
  const folder = projectFolder(from);
  const all = { ...process.env, ...env };
  const { configFile, needsBackend } = defaults;
  // Checked for every command before it reads or writes a file.
  localFolder(folder);
  const project = await engine.openProject({
    dir: folder,
    env: all,
    localProviders,
    ...(configFile !== undefined && { configFile }),
    storedPassphrase: (stack) => localPassphrase(folder, stack, all),
    passphrase: async (purpose, stack) => (asks ? askPassphrase(purpose, stack) : undefined),
  });
  if (needsBackend && project.backend.source === "default")
    throw new UsageError(
      "nothing says where the states are kept: set PULUMI_BACKEND_URL to file://<folder>, or backend.url in the project's settings",
    );
  return project;
}

/** The folder in which the program runs; if the project cannot be opened, the folder of its Pulumi.yaml. */
export const programFolder = (): Promise<string> =>
  openProject().then(
    (project) => project.programDirectory,
    () => projectFolder(),
  );

/** The name of the selected stack; undefined if only the Pulumi CLI can read the project. */
export const selectedStack = (): Promise<string | undefined> =>
  openProject()
    .then((project) => project.currentStack())
    .catch(() => undefined);

/**
 * Writes the location of the states into the project, so that a Pulumi CLI that is installed later finds them. Called before a stack is
 * created or changed.
 */
export async function recordBackend(project: Project): Promise<void> {
  if (!(await project.recordBackend())) return;
  note(
    errorColours.dim(`Added backend.url to the project's file: the Pulumi CLI finds ${project.backend.folder}, too.`),
  );
}

/** The same before the Pulumi CLI runs, for states that the built-in engine created without it. */
export async function recordBackendForPulumi(project: string): Promise<void> {
  if (!existsSync(join(project, ".pulumi/stacks"))) return;
  // A project that this engine cannot read has no states of this engine.
  const opened = await openProject({}, project).catch(() => undefined);
  if (opened !== undefined) await recordBackend(opened);
}

/**
 * Opens a stack's configuration without its state: the state may be kept where only the Pulumi CLI can read it, or may not exist yet, as
 * in a fresh checkout.
 */
export async function openConfiguration(stack: string, from?: string, env: Record<string, string> = {}) {
  const here = await openProject({ ...env, PULUMI_BACKEND_URL: `file://${projectFolder(from)}` }, from);
  const found = await here.openConfiguration(stack);
  if (found !== undefined) {
    const withState = await openProject(env, from).catch(() => undefined);
    await withState?.assertStateNotLost(found.name);
    return { project: here, configuration: found };
  }
  const project = await openProject(env, from);
  return { project, configuration: await project.openStack(stack) };
}

/** Opens the stack of a command: the named one, else the selected one, else one that the user chooses. */
export async function openStack(project: Project, options: SessionOptions): Promise<Stack> {
  const name = options.stack ?? (await project.currentStack()) ?? (await chooseStack(project));
  return project.openStack(name);
}

/** The stack's name from the command's argument or from --stack. Both at once are an error. */
export function onlyStackName(name: string | undefined, { stack }: SessionOptions): string | undefined {
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

export async function chooseStack(project: ListedProject): Promise<string> {
  const names = (await project.listStacks()).map((stack) => stack.name);
  if (names.length === 0) {
    const folder = project.backend === undefined ? "" : ` (${project.backend.folder})`;
    throw new UsageError(
      `no stacks in project "${project.name}"${folder}. Create one: esign stack init dev`,
      Exit.noStack,
    );
  }
  const wanted = `no stack is selected. There are ${names.join(", ")}: use --stack <name>, or "esign stack select ${names[0]}"`;
  if (!isInteractive()) throw new UsageError(wanted, Exit.noStack);
  names.forEach((name, i) => {
    note(`  ${i + 1}  ${name}`);
  });
  const answer = await ask("Which stack? ");
  const name = names.includes(answer) ? answer : names[Number(answer) - 1];
  if (name === undefined) throw new UsageError(wanted);
  return name;
}

/** Asks for confirmation of an action that cannot be undone. Without a terminal, `--yes` is required. */
export async function confirmOrExit(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!isInteractive()) throw new UsageError(`stdin is not a terminal: add --yes to answer "${question}"`);
  if (!(await confirm(question))) throw new ExitError(Exit.cancelled);
}
