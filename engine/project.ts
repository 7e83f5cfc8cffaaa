/**
 * A project: Pulumi.yaml, and where its stacks are kept.
 *
 * Serves: Pulumi.yaml.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";
import type { BackendSource, OpenOptions, Project, Stack, StackSummary } from "./api";
import { Backend } from "./backend";
import { type ConfigDeclaration, declarationsOf } from "./declarations";
import { EngineError, messageOf } from "./errors";
import { readText } from "./files";
import { isProjectName, isStackName } from "./names";
import { inWords, olderYamlFirst } from "./older-yaml";
import { projectFileNames, stackConfigFile } from "./project-file";
import { StackHandle } from "./stack";
import { currentLogin, selectedStack, selectStack } from "./workspace";

/** What the engine uses of Pulumi.yaml. */
export interface ProjectSettings {
  name: string;
  /** Pulumi.yaml itself. */
  file: string;
  directory: string;
  /** The folder that programs and providers run in. */
  programDirectory: string;
  /** What to run in it: "." or a file. */
  entryPoint: string;
  runtime: { typescript: boolean; nodeArguments: string[]; tsconfig?: string };
  declarations: Map<string, ConfigDeclaration>;
  /** The file with the configuration of a stack. */
  stackConfigFile: (stack: string) => string;
  backendUrl: string | undefined;
  /** Refresh before every operation. */
  refreshAlways: boolean;
}

export async function openProject(options: OpenOptions): Promise<Project> {
  const env = options.env ?? process.env;
  const settings = await readProject(options.dir);
  const [url, source] = await backendOf(options, env, settings);
  const backend = new Backend(url, settings.name);
  await backend.open();
  return new OpenProject(settings, backend, source, env, options.passphrase);
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

async function readProject(dir: string): Promise<ProjectSettings> {
  const from = path.resolve(dir);
  for (let at = from; ; at = path.dirname(at)) {
    for (const name of projectFileNames) {
      const file = path.join(at, name);
      const text = await readText(file);
      if (text !== undefined) return parseProject(file, text);
    }
    if (at === path.dirname(at))
      throw new EngineError(`there is no Pulumi.yaml in ${from} nor in any folder above it`, "not-found");
  }
}

/** The settings that the text of a project file holds; checked. */
function parseProject(file: string, text: string): ProjectSettings {
  const invalid = (what: string): never => {
    throw new EngineError(`${file}: ${what}`, "invalid");
  };
  const refuse = (what: string): never => {
    throw new EngineError(
      `${file}: ${what}. The embedded engine does not do this; use the Pulumi CLI for this project`,
    );
  };
  let raw: Record<string, unknown>;
  try {
    raw = parse(text, inWords, { customTags: olderYamlFirst }) as Record<string, unknown>;
  } catch (cause) {
    return invalid(messageOf(cause));
  }
  if (raw === null || typeof raw !== "object") return invalid("it is empty");
  const name = raw.name;
  if (typeof name !== "string" || !isProjectName(name))
    return invalid(
      `the project's name must be made of letters, digits, "-", "_" and "."; it is ${JSON.stringify(name)}`,
    );
  const runtime =
    typeof raw.runtime === "string"
      ? { name: raw.runtime }
      : (raw.runtime as { name?: string; options?: Record<string, unknown> } | undefined);
  if (runtime?.name !== "nodejs")
    refuse(`its runtime is ${JSON.stringify(runtime?.name ?? null)}; the embedded engine runs "nodejs"`);
  const options = (runtime as { options?: Record<string, unknown> }).options ?? {};
  for (const part of ["packages", "plugins"] as const) {
    const v = raw[part];
    if (v !== undefined && v !== null && Object.keys(v as object).length > 0) refuse(`it has "${part}"`);
  }
  const directory = path.dirname(path.resolve(file));
  const config = raw.config;
  const main = typeof raw.main === "string" && raw.main !== "" ? path.resolve(directory, raw.main) : directory;
  // `main` may name a folder or a file; without extension, too.
  const isFile = main !== directory && (/\.[cm]?[jt]s$/.test(main) || (!existsSync(main) && existsSync(`${main}.js`)));
  return {
    name,
    file: path.resolve(file),
    directory,
    programDirectory: isFile ? path.dirname(main) : main,
    entryPoint: isFile ? path.basename(main) : ".",
    runtime: {
      typescript: options.typescript !== false && options.typescript !== "false",
      nodeArguments: splitWords(typeof options.nodeargs === "string" ? options.nodeargs : ""),
      ...(typeof options.tsconfig === "string" && options.tsconfig !== "" && { tsconfig: options.tsconfig }),
    },
    declarations: declarationsOf(name, config, invalid),
    stackConfigFile: (stack) => stackConfigFile(path.resolve(file), raw, stack),
    backendUrl: (raw.backend as { url?: string } | null | undefined)?.url,
    refreshAlways: (raw.options as { refresh?: string } | null | undefined)?.refresh === "always",
  };
}

/** Words of a command line, with quotes. */
function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2] ?? (m[3] as string));
}

class OpenProject implements Project {
  readonly backend: Project["backend"];
  constructor(
    readonly settings: ProjectSettings,
    private readonly store: Backend,
    source: BackendSource,
    private readonly env: NodeJS.ProcessEnv,
    private readonly passphrase: OpenOptions["passphrase"],
  ) {
    this.backend = { url: store.url, folder: store.folder, source };
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

  private handle(name: string): StackHandle {
    return new StackHandle(name, this, this.settings, this.store, this.env, this.passphrase);
  }

  /** Takes `organization/<project>/<stack>` and `<project>/<stack>`, too. */
  private plainName(name: string): string {
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
        `${JSON.stringify(name)} is no name for a stack: use at most 100 letters, digits, "-", "_" and "."`,
        "invalid",
      );
    return plain;
  }

  async listStacks(): Promise<StackSummary[]> {
    const current = await this.currentStack();
    return Promise.all(
      (await this.store.stacks()).map(async (name) => ({
        name,
        current: name === current,
        ...(await this.handle(name).summary()),
      })),
    );
  }

  async initStack(given: string): Promise<Stack> {
    const name = this.plainName(given);
    if (await this.store.exists(name))
      throw new EngineError(`there is a stack ${name} already in ${this.store.folder}`);
    const stack = this.handle(name);
    await stack.create();
    return stack;
  }

  async openStack(given: string): Promise<Stack> {
    const name = this.plainName(given);
    if (await this.store.exists(name)) return this.handle(name);
    const names = await this.store.stacks();
    throw new EngineError(
      `there is no stack ${name} in ${this.store.folder}` +
        (names.length > 0 ? `; there are: ${names.join(", ")}` : "") +
        `. Create it with \`stack init ${name}\``,
      "no-stack",
    );
  }

  async openConfiguration(given: string): Promise<Stack | undefined> {
    const stack = this.handle(this.plainName(given));
    return (await stack.isConfigured()) ? stack : undefined;
  }

  async renameStack(from: string, given: string): Promise<Stack> {
    const [old, name] = [await this.openStack(from), this.plainName(given)];
    let unselected: EngineError | undefined;
    await (old as StackHandle).rename(name, () =>
      this.selectStack(name).catch((error) => {
        // Half a renaming would be two stacks with the same objects.
        if (!(error instanceof EngineError && error.code === "not-selected")) throw error;
        unselected = error;
      }),
    );
    if (unselected !== undefined) throw unselected;
    return this.handle(name);
  }

  async currentStack(): Promise<string | undefined> {
    if (this.env.PULUMI_STACK) return this.plainName(this.env.PULUMI_STACK);
    const names = await this.store.stacks();
    const selected = await selectedStack(this.env, this.name, this.settings.file, this.store.url);
    if (selected !== undefined && names.includes(selected)) return selected;
    return names.length === 1 ? names[0] : undefined;
  }

  async selectStack(given: string): Promise<void> {
    const stack = await this.openStack(given);
    await selectStack(this.env, this.name, this.settings.file, this.store.url, stack.name);
  }
}
