/** Opens what commands on stacks work with: the project, with the engine that they use, and the configuration of a stack. */
import type { Command } from "commander";
import type { Project } from "../../engine/index";
import { chooseEngine, type EngineChoice, type EngineName, engineNames } from "../engine/choose-engine";
import { inProcessProviders } from "../engine/in-process-providers";
import { UsageError } from "../output/errors";
import { isInteractive } from "../output/terminal";
import { askPassphrase } from "./ask-passphrase";
import { localPassphrase } from "./local-passphrase";
import { localFolder, projectFolder } from "./project-files";

/** The options `--stack` and `--engine`. */
export interface StackSelection {
  /** Default: the selected one. */
  stack?: string | undefined;
  engine?: EngineName;
}

/** Options that apply to every project which this process opens. */
interface ProjectDefaults {
  engine?: EngineName;
  /** A file to use as the configuration of every stack. */
  configFile?: string;
  /** True if the project must say where its states are kept, instead of using the default folder. */
  needsBackend?: boolean;
}
let defaults: ProjectDefaults = {};
export function setProjectDefaults(changes: ProjectDefaults): void {
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

export function selectEngine(options: StackSelection): EngineChoice {
  return chooseEngine(options.engine ?? defaults.engine ?? "auto");
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
    inProcessProviders,
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
