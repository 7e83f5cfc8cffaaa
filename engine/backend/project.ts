/**
 * A project: its stacks and where they are kept.
 *
 * Used for: where the backend is, and which stack is selected.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { BackendSource, OpenOptions, Project, StackSummary } from "../api";
import { currentLogin, selectedStack, selectStack } from "../config/cli-workspace";
import { type ProjectSettings, readProject } from "../config/project-settings";
import { isStackName, longestName } from "../config/stack-names";
import { ownFolderUrl, writeBackend } from "../config/write-backend";
import { EngineError } from "../errors";
import type { InProcessProviders } from "../resource/in-process-providers";
import type { PassphraseSources } from "../secrets/passphrase-sources";
import { FileBackend } from "./file-backend";
import type { ProviderOptions } from "./services/run-services";
import { FileStack, type StackOwner } from "./stack";

export async function openProject(options: OpenOptions): Promise<Project> {
  const env = options.env ?? process.env;
  const settings = await readProject(options.dir);
  const { configFile } = options;
  if (configFile !== undefined) settings.stackConfigFile = () => path.resolve(configFile);
  const [url, source] = await backendOf(options, env, settings);
  // A relative folder in Pulumi.yaml is relative to that file, since the CLI's commands run in its folder.
  const backend = new FileBackend(url, settings.name, source === "Pulumi.yaml" ? settings.directory : undefined);
  await backend.open();
  return new FileProject(settings, backend, source, env, providersOf(options, settings), options);
}

/** A package whose plugin folder the project names is not served in this process. The packages of a YAML program are for the Pulumi CLI. */
function providersOf({ inProcessProviders }: OpenOptions, settings: ProjectSettings): ProviderOptions {
  if (inProcessProviders === undefined) return {};
  const { pluginFolders, runtime, programDirectory } = settings;
  const serves: InProcessProviders["serves"] = (plugin) =>
    (runtime.name === "yaml" || !pluginFolders.has(plugin.name)) && inProcessProviders.serves(plugin);
  const { dynamic, ...packages } = inProcessProviders;
  const hasDynamic = dynamic?.isIn(programDirectory) === true;
  return { inProcessProviders: { ...packages, serves, ...(hasDynamic && { dynamic }) } };
}

async function backendOf(
  options: OpenOptions,
  env: NodeJS.ProcessEnv,
  settings: ProjectSettings,
): Promise<[string, BackendSource]> {
  if (options.backendUrl) return [options.backendUrl, "option"];
  if (env.PULUMI_BACKEND_URL) return [env.PULUMI_BACKEND_URL, "PULUMI_BACKEND_URL"];
  if (settings.backendUrl) return [settings.backendUrl, "Pulumi.yaml"];
  const login = await currentLogin(env);
  if (login?.startsWith("file://")) return [login, "login"];
  return [pathToFileURL(settings.directory).href, "default"];
}

class FileProject implements StackOwner {
  #files: FileBackend;
  #source: BackendSource;
  readonly #env: NodeJS.ProcessEnv;
  readonly #providers: ProviderOptions;
  readonly #passphrases: PassphraseSources;

  constructor(
    readonly settings: ProjectSettings,
    files: FileBackend,
    source: BackendSource,
    env: NodeJS.ProcessEnv,
    providers: ProviderOptions,
    passphrases: PassphraseSources,
  ) {
    this.#files = files;
    this.#source = source;
    this.#env = env;
    this.#providers = providers;
    this.#passphrases = passphrases;
  }
  get backend(): Project["backend"] {
    return { url: this.#files.url, folder: this.#files.folder, source: this.#source };
  }
  get name(): string {
    return this.settings.name;
  }
  get directory(): string {
    return this.settings.directory;
  }
  get programDirectory(): string {
    return this.settings.programDirectory;
  }
  get runtime(): string {
    return this.settings.runtime.name;
  }

  #stackNamed(name: string): FileStack {
    return new FileStack(name, this, this.settings, this.#files, this.#env, this.#providers, this.#passphrases);
  }

  async recordBackend(): Promise<boolean> {
    // A user who is logged in to another backend has the CLI's states there.
    if (this.#source !== "default" || (await currentLogin(this.#env)) !== undefined) return false;
    const { file, name, directory } = this.settings;
    const selected = await selectedStack(this.#env, name, file, this.#files.url);
    if (!(await writeBackend(file))) return false;
    this.#files = new FileBackend(ownFolderUrl, name, directory);
    this.#source = "Pulumi.yaml";
    // The selection is stored by the backend's address. If the address changes, the stack has to be selected again.
    if (selected !== undefined) await this.selectStack(selected).catch(() => undefined);
    return true;
  }

  /** Also accepts `organization/<project>/<stack>` and `<project>/<stack>`. */
  #plainName(name: string): string {
    const parts = name.split("/");
    const plain = parts.at(-1) as string;
    const around = parts.slice(0, -1);
    if (
      around.length > 2 ||
      (around.length === 2 && around[0] !== "organization") ||
      (around.length > 0 && around.at(-1) !== this.name && around.at(-1) !== "organization")
    )
      throw new EngineError(`${name} is not a stack of the project ${this.name}`, "no-stack");
    if (!isStackName(plain))
      throw new EngineError(
        `${JSON.stringify(name)} is not a name for a stack: use at most ${longestName} letters, digits, "-", "_" and "."`,
        "invalid",
      );
    return plain;
  }

  async listStacks(): Promise<StackSummary[]> {
    const current = await this.currentStack();
    const all: StackSummary[] = [];
    // Sequentially, to limit memory: a project may have hundreds of stacks, and each state is read as a whole.
    for (const name of await this.#files.stacks())
      all.push({ name, current: name === current, ...(await this.#stackNamed(name).summary()) });
    for (const name of await this.#lostStacks())
      all.push({ name, current: name === current, lost: await this.#files.describeLoss(name, "missing") });
    return all;
  }

  async stackNames(): Promise<string[]> {
    return [...(await this.#files.stacks()), ...(await this.#lostStacks())];
  }

  async initStack(reference: string, { keyOf }: { keyOf?: string } = {}): Promise<FileStack> {
    const name = this.#plainName(reference);
    if (await this.#files.exists(name))
      throw new EngineError(`stack '${name}' already exists in ${this.#files.folder}`, "exists");
    const stack = this.#stackNamed(name);
    if (await this.#isStateLost(stack))
      throw new EngineError(
        `${await this.#files.describeLoss(name, "missing")}. If the stack was removed on purpose, remove that file first`,
        "integrity",
      );
    await stack.create(keyOf === undefined ? undefined : await this.#stackNamed(this.#plainName(keyOf)).salt());
    return stack;
  }

  async #lostStacks(): Promise<string[]> {
    const names = await this.#files.stacksWithBackupOnly();
    const isLost = await Promise.all(names.map((name) => this.#isStateLost(this.#stackNamed(name))));
    return names.filter((_, i) => isLost[i]);
  }

  async assertStateNotLost(name: string): Promise<void> {
    if (await this.#isStateLost(this.#stackNamed(name)))
      throw new EngineError(await this.#files.describeLoss(name, "missing"), "integrity");
  }

  /** True if the state file is missing beside its `.bak` file and the stack was not removed, which also removes its history and configuration. */
  async #isStateLost(stack: FileStack): Promise<boolean> {
    if ((await this.#files.exists(stack.name)) || (await this.#files.resourcesInBackup(stack.name)) === 0) return false;
    return (await stack.isConfigured()) || (await this.#files.history(stack.name)).length > 0;
  }

  async openStack(reference: string): Promise<FileStack> {
    const name = this.#plainName(reference);
    if (await this.#files.exists(name)) return this.#stackNamed(name);
    await this.assertStateNotLost(name);
    const names = await this.#files.stacks();
    throw new EngineError(
      `no stack named '${name}' found in ${this.#files.folder}` +
        (names.length > 0 ? `; there are: ${names.join(", ")}` : "") +
        `. Create it with \`stack init ${name}\``,
      "no-stack",
    );
  }

  async openConfiguration(reference: string): Promise<FileStack | undefined> {
    const stack = this.#stackNamed(this.#plainName(reference));
    return (await stack.isConfigured()) ? stack : undefined;
  }

  async renameStack(from: string, to: string): Promise<FileStack> {
    const [old, name] = [await this.openStack(from), this.#plainName(to)];
    let unselected: EngineError | undefined;
    await old.rename(name, () =>
      this.selectStack(name).catch((error) => {
        // An incomplete rename would leave two stacks with the same objects.
        if (!(error instanceof EngineError && error.code === "not-selected")) throw error;
        unselected = error;
      }),
    );
    if (unselected !== undefined) throw unselected;
    return this.#stackNamed(name);
  }

  async currentStack(): Promise<string | undefined> {
    if (this.#env.PULUMI_STACK) return this.#plainName(this.#env.PULUMI_STACK);
    // A stack whose state is missing stays selected: the error on opening it explains the problem.
    const names = await this.stackNames();
    const selected = await selectedStack(this.#env, this.name, this.settings.file, this.#files.url);
    if (selected !== undefined && names.includes(selected)) return selected;
    return names.length === 1 ? names[0] : undefined;
  }

  async selectStack(reference: string): Promise<void> {
    const stack = await this.openStack(reference);
    await selectStack(this.#env, this.name, this.settings.file, this.#files.url, stack.name);
  }
}
