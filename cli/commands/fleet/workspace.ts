/** One stack's operation through Pulumi's Automation API, on whichever engine was chosen. */
import { execFile } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import type { EngineEvent, LocalWorkspace, Stack } from "@pulumi/pulumi/automation";
import { UsageError } from "../../output/exit-codes";
import { packageFolder } from "../../output/version";
import type { EngineChoice } from "../../project/choose-engine";
import { configurationInClear, stackFile } from "../../project/project-files";
import { openProject, recordBackend, recordBackendForPulumi } from "../../project/session";
import type { Changes } from "./run-fleet";
import type { Unit } from "./units";

export type FleetVerb = "up" | "preview" | "refresh" | "drift" | "destroy";

export interface WorkspaceOptions {
  /** The program's folder. */
  folder: string;
  engine: EngineChoice;
  env: Record<string, string>;
  /** What encrypts the secrets of stacks that are created. Default: a passphrase. */
  secretsProvider?: string | undefined;
  parallel?: number | undefined;
  message?: string | undefined;
}

/** An engine's errors, without its other output: that may be long, and repeats them. */
export class OperationError extends Error {
  override readonly name = "OperationError";
  constructor(
    message: string,
    /** Another operation has locked the stack. */
    readonly isLocked: boolean,
  ) {
    super(message);
  }
}

export class FleetWorkspace {
  /** The project's stacks. */
  readonly stacks: Set<string>;

  private constructor(
    private readonly api: typeof import("@pulumi/pulumi/automation"),
    private readonly workspace: LocalWorkspace,
    private readonly options: WorkspaceOptions,
    stacks: readonly string[],
  ) {
    this.stacks = new Set(stacks);
    // Every command names its stack. To select it would cost a process, and change what the user has selected.
    workspace.selectStack = async () => undefined;
  }

  static async open(options: WorkspaceOptions): Promise<FleetWorkspace> {
    const api = await import("@pulumi/pulumi/automation/index.js");
    const { engine, folder } = options;
    const env: Record<string, string> = {
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_NODEJS_TRANSPILE_ONLY: process.env.PULUMI_NODEJS_TRANSPILE_ONLY ?? "true",
      ...options.env,
    };
    if (engine.engine === "pulumi") {
      await recordBackendForPulumi(folder);
      process.env.PATH = `${dirname(engine.path)}${delimiter}${process.env.PATH}`;
    } else {
      const project = await openProject({}, folder);
      await recordBackend(project);
      env.PULUMI_BACKEND_URL = project.backend.url;
    }
    const pulumiCommand = await api.PulumiCommand.get(
      engine.engine === "pulumi" ? {} : { root: join(packageFolder, "dist/cli/automation") },
    );
    const workspace = await api.LocalWorkspace.create({ workDir: folder, envVars: env, pulumiCommand });
    const stacks = await workspace.listStacks().catch((error) => {
      throw new UsageError(`the stacks of ${folder} cannot be listed: ${errorLines(error)}`);
    });
    return new FleetWorkspace(
      api,
      workspace,
      options,
      stacks.map(({ name }) => name.split("/").at(-1)!),
    );
  }

  /** Brings a stack to the unit's configuration, and runs an operation; resolves to its changes. */
  async run(verb: FleetVerb, unit: Unit): Promise<Changes> {
    const diagnostics: string[] = [];
    let changes: Changes = {};
    const onEvent = ({ diagnosticEvent, summaryEvent }: EngineEvent) => {
      if (diagnosticEvent?.severity === "error") diagnostics.push(plain(diagnosticEvent.message));
      if (summaryEvent) changes = summaryEvent.resourceChanges;
    };
    try {
      if (verb === "up" || verb === "preview") await this.prepare(unit);
      await this.operate(verb, await this.api.Stack.select(unit.stack, this.workspace), onEvent);
      return changes;
    } catch (error) {
      const message = diagnostics.length > 0 ? diagnostics.join("\n") : errorLines(error as Error);
      throw new OperationError(message, error instanceof this.api.ConcurrentUpdateError);
    }
  }

  /** Removes an empty stack. */
  async remove(stack: string): Promise<void> {
    await this.workspace.removeStack(stack);
  }

  private async operate(verb: FleetVerb, stack: Stack, onEvent: (event: EngineEvent) => void): Promise<void> {
    // What the API reads afterwards is not used here, and would take three more processes a stack.
    stack.outputs = async () => ({});
    stack.info = async () => undefined;
    const { parallel, message } = this.options;
    const options = { onEvent, color: "never" as const, ...(parallel && { parallel }), ...(message && { message }) };
    if (verb === "up") await stack.up(options);
    else if (verb === "preview") await stack.preview(options);
    else if (verb === "refresh") await stack.refresh(options);
    else if (verb === "drift") await stack.previewRefresh(options);
    else await stack.destroy(options);
  }

  private async prepare({ stack, config, unset }: Unit): Promise<void> {
    const { workspace, options } = this;
    if (!this.stacks.has(stack)) {
      await this.command(["stack", "init", stack, ...initArgs(options)]);
      this.stacks.add(stack);
    }
    const written = stackFile(options.folder, stack).config ?? {};
    const inClear = configurationInClear(options.folder, stack);
    const changed = Object.entries(config).filter(([key, { value, secret }]) => !secret && inClear.get(key) !== value);
    if (changed.length > 0) await workspace.setAllConfig(stack, Object.fromEntries(changed));
    const secrets = Object.entries(config).filter(([, { secret }]) => secret);
    const present = secrets.length > 0 ? await workspace.getAllConfig(stack) : {};
    for (const [key, { value }] of secrets) {
      const now = present[key];
      if (!now?.secret || now.value !== value)
        await this.command(["config", "set", key, "--secret", "--stack", stack], value);
    }
    const surplus = unset.filter((key) => Object.hasOwn(written, key));
    if (surplus.length > 0) await workspace.removeAllConfig(stack, surplus);
  }

  /** Runs what the API cannot: a value goes through standard input, since all users of a machine see a process's arguments. */
  private command(args: string[], input = ""): Promise<void> {
    const { pulumiCommand, workDir, envVars } = this.workspace;
    return new Promise((done, fail) => {
      const options = { cwd: workDir, env: { ...process.env, ...envVars } };
      const child = execFile(pulumiCommand.command, [...args, "--non-interactive"], options, (error, _, stderr) => {
        if (error === null) done();
        else fail(new Error(stderr || error.message));
      });
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
    });
  }
}

const initArgs = ({ secretsProvider }: WorkspaceOptions): string[] => [
  "--no-select",
  ...(secretsProvider === undefined ? [] : ["--secrets-provider", secretsProvider]),
];

/** Without the marks of colours. */
const plain = (text: string): string => text.replace(/<\{%.*?%\}>/g, "").trim();

/** Of a command's output, which an error of the Automation API has as a whole. */
function errorLines({ message }: Error): string {
  const lines = plain(message)
    .split("\n")
    .map((line) => line.trim());
  const said = lines.filter((line) => line.startsWith("error: ")).map((line) => line.slice("error: ".length));
  return [...new Set(said)].join("\n") || lines.find((line) => line !== "") || "failed without a word";
}
