/** One stack's operation through Pulumi's Automation API, on whichever engine was chosen. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import type { EngineEvent, LocalWorkspace } from "@pulumi/pulumi/automation";
import { createColors } from "picocolors";
import type { ConfigNode } from "../../../engine/config/values";
import { userFramesOnly } from "../../../engine/deploy/stack-traces";
import { isMissingSdk, missingSdk } from "../../../provider/core/pulumi-sdk";
import { Diagnostics } from "../../display/diagnostics";
import { hasChanges } from "../../display/steps";
import { UsageError } from "../../output/exit-codes";
import { packageFolder } from "../../output/version";
import type { EngineChoice } from "../../project/choose-engine";
import { configurationInClear, stackConfigPath, stackFile } from "../../project/project-files";
import { openProject, recordBackend, recordBackendForPulumi } from "../../project/session";
import type { Changes, Outcome } from "./run-fleet";
import { UnitEffects } from "./unit-effects";
import { customersWithoutRecord, type Listed, type Unit, withCustomers, withSecretsOf } from "./units";

export type FleetVerb = "up" | "preview" | "refresh" | "drift" | "destroy";
/** `remove`: the stack, or from a shared one the customers without a record. */
export type FleetOperation = FleetVerb | "remove";

export interface OperationResult extends Pick<Outcome, "changes" | "account" | "isStateChanged"> {
  /** Customers who have no record any more, and remain. */
  kept: string[];
}

export interface WorkspaceOptions {
  /** The program's folder. */
  folder: string;
  engine: EngineChoice;
  env: Record<string, string>;
  /** What encrypts the secrets of stacks that are created. Default: a passphrase. */
  secretsProvider?: string | undefined;
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

/** Of the package's own SDK; where it has none, as when it is installed globally, of the program's. */
async function loadAutomation(folder: string): Promise<typeof import("@pulumi/pulumi/automation")> {
  try {
    return await import("@pulumi/pulumi/automation/index.js");
  } catch (error) {
    if (!isMissingSdk(error)) throw error;
  }
  try {
    return createRequire(join(folder, "package.json"))("@pulumi/pulumi/automation/index.js");
  } catch (error) {
    if (!isMissingSdk(error)) throw error;
    throw new UsageError(missingSdk("esign fleet"));
  }
}

export class FleetWorkspace {
  /** The project's stacks. */
  readonly stacks: Set<string>;
  /** The lists that shared stacks were deployed with: where they are encrypted, it takes a process to read one. */
  readonly #lists = new Map<string, Promise<Listed[]>>();

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
    const { engine, folder } = options;
    const api = await loadAutomation(folder);
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

  /** Runs an operation; one that runs the program brings the stack to the unit's configuration first. */
  async run(operation: FleetOperation, unit: Unit): Promise<OperationResult> {
    const diagnostics = new Diagnostics(createColors(false), false);
    let changes: Changes = {};
    const effects = new UnitEffects();
    const onEvent = (event: EngineEvent) => {
      const { diagnosticEvent, summaryEvent } = event;
      effects.add(event);
      const { severity, urn = "", message = "" } = diagnosticEvent ?? {};
      if (severity === "error" && !isEndWord(plain(message)))
        diagnostics.add({
          type: "diagnostic",
          severity,
          source: "engine",
          urn,
          message: userFramesOnly(plain(message)),
        });
      if (summaryEvent) changes = summaryEvent.resourceChanges;
    };
    try {
      const kept = operation === "up" || operation === "preview" ? await this.prepare(unit) : [];
      await this.operate(operation, unit, onEvent, effects);
      if (operation === "refresh" || operation === "drift") return { changes, kept };
      return { ...effects.count(), isStateChanged: hasChanges(changes), kept };
    } catch (error) {
      if (error instanceof OperationError) throw error;
      const lines = diagnostics.lines().map((line) => line.replace(/^error: /, ""));
      const message = lines.join("\n").trim() || errorLines(error as Error);
      throw new OperationError(message, error instanceof this.api.ConcurrentUpdateError);
    } finally {
      effects.close();
    }
  }

  /** Customers of a shared stack who have no record any more. */
  async customersWithoutRecord(unit: Unit): Promise<Listed[]> {
    const { stack, listKey } = unit;
    if (listKey === undefined || !this.stacks.has(stack)) return [];
    return customersWithoutRecord(unit, await this.customersIn(stack, listKey));
  }

  /** The list that a stack was deployed with before this run; empty for one that is not shared. */
  customersIn(stack: string, listKey: string): Promise<Listed[]> {
    const list = this.#lists.get(stack) ?? this.readList(stack, listKey);
    this.#lists.set(stack, list);
    return list;
  }

  private async readList(stack: string, listKey: string): Promise<Listed[]> {
    await this.restoreConfig(stack);
    const written = stackFile(this.options.folder, stack).config ?? {};
    if (!Object.hasOwn(written, listKey)) return [];
    const inClear = configurationInClear(this.options.folder, stack).get(listKey);
    return JSON.parse(inClear ?? (await this.workspace.getAllConfig(stack))[listKey]?.value ?? "[]");
  }

  private async operate(
    operation: FleetOperation,
    unit: Unit,
    onEvent: (event: EngineEvent) => void,
    effects: UnitEffects,
  ): Promise<void> {
    const stack = await this.api.Stack.select(unit.stack, this.withEnv(effects.env));
    // What the API reads afterwards is not used here, and would take three more processes a stack.
    stack.outputs = async () => ({});
    stack.info = async () => undefined;
    const { message } = this.options;
    const options = { onEvent, color: "never" as const, ...(message && { message }) };
    const preview = async (verb: "preview" | "previewDestroy") => {
      effects.begin(true);
      await stack[verb](options);
      // What is destroyed is counted when it is done: the state of each stack would take another process.
      const exportState = async () => JSON.stringify(await stack.exportStack());
      const refusals = await effects.plan(verb === "preview" ? exportState : undefined);
      if (refusals.length > 0) throw new OperationError(refusals.join("\n"), false);
    };
    const destroy = async () => {
      await preview("previewDestroy");
      effects.begin(false);
      await stack.destroy(options);
    };
    effects.begin(false);
    if (operation === "up") await stack.up(options);
    else if (operation === "preview") await preview("preview");
    else if (operation === "refresh") await stack.refresh(options);
    else if (operation === "drift") await stack.previewRefresh(options);
    else if (operation === "destroy") await destroy();
    else if (unit.listKey === undefined) {
      await destroy();
      await this.workspace.removeStack(unit.stack);
    } else {
      const without = await this.customersWithoutRecord(unit);
      await this.configure(unit);
      try {
        await preview("preview");
        effects.begin(false);
        await stack.up(options);
      } catch (error) {
        await this.configure(withCustomers(unit, without));
        throw error;
      }
    }
  }

  /** The workspace of one operation: others run at the same time. */
  private withEnv(env: Record<string, string>): LocalWorkspace {
    const { workspace } = this;
    return Object.assign(Object.create(workspace) as LocalWorkspace, { envVars: { ...workspace.envVars, ...env } });
  }

  /** Resolves to the customers who have no record any more and are kept. */
  private async prepare(unit: Unit): Promise<string[]> {
    const { stack } = unit;
    if (this.stacks.has(stack)) await this.restoreConfig(stack);
    else await this.command(["stack", "init", stack, ...initArgs(this.options)]);
    const kept = await this.customersWithoutRecord(unit);
    this.stacks.add(stack);
    await this.configure(withCustomers(unit, kept));
    return kept.map(({ id }) => id);
  }

  /** Where the project was checked out again, a stack's configuration is that of its last deployment, if there was one. */
  private async restoreConfig(stack: string): Promise<void> {
    if (existsSync(stackConfigPath(this.options.folder, stack))) return;
    await this.command(["config", "refresh", "--force", "--stack", stack]).catch((error: Error) => {
      if (!error.message.includes("no previous deployment")) throw error;
    });
  }

  private async configure({ stack, config, unset }: Unit): Promise<void> {
    const { workspace, options } = this;
    const written = (stackFile(options.folder, stack).config ?? {}) as Record<string, ConfigNode>;
    const inClear = configurationInClear(options.folder, stack);
    const entries = Object.entries(withSecretsOf(config, written));
    const changed = entries.filter(([key, { value, secret }]) => !secret && inClear.get(key) !== value);
    if (changed.length > 0) await workspace.setAllConfig(stack, Object.fromEntries(changed));
    const secrets = entries.filter(([, { secret }]) => secret);
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
        else fail(new Error(errorLines(stderr ? new Error(stderr) : error)));
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

/** What the CLI says at the end, after what has failed. */
const isEndWord = (message: string): boolean => /^(preview|update|refresh|destroy) failed$/.test(message);

/** Without the marks of colours. */
const plain = (text: string): string => text.replace(/<\{%.*?%\}>/g, "").trim();

/** Of a command's output, which an error of the Automation API has as a whole. */
function errorLines({ message }: Error): string {
  const lines = plain(message)
    .split("\n")
    .map((line) => line.trim());
  const said = lines.filter((line) => line.startsWith("error: ")).map((line) => line.slice("error: ".length));
  const signal = /was killed with (SIG\w+)/.exec(message)?.[1];
  const otherwise = signal === undefined ? lines.find((line) => line !== "") : `ended by ${signal}`;
  return [...new Set(said)].join("\n") || otherwise || "failed without a word";
}
