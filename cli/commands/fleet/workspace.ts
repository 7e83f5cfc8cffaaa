/** The stacks of a project, as a fleet works with them. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { missingSdk } from "../../../provider/core/pulumi-sdk";
import type { EngineChoice } from "../../engine/choose-engine";
import { PulumiCommand } from "../../engine/pulumi-command";
import { UsageError } from "../../output/exit-codes";
import { openProject, recordBackend, recordBackendForPulumi } from "../../project/session";
import type { Outcome } from "./run-fleet";
import { UnitConfiguration } from "./unit/unit-configuration";
import { type OnWait, UnitOperation } from "./unit/unit-operation";
import { customersWithoutRecord, type Listed, type Unit, withCustomers } from "./units";

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

export class FleetWorkspace {
  /** The project's stacks. */
  readonly stacks: Set<string>;
  /** The lists that shared stacks were deployed with: where they are encrypted, it takes a process to read one. */
  readonly #lists = new Map<string, Promise<Listed[]>>();
  readonly #configuration: UnitConfiguration;

  private constructor(
    private readonly command: PulumiCommand,
    private readonly options: WorkspaceOptions,
    stacks: readonly string[],
  ) {
    this.stacks = new Set(stacks);
    this.#configuration = new UnitConfiguration(options.folder, command);
  }

  static async open(options: WorkspaceOptions): Promise<FleetWorkspace> {
    const { engine, folder } = options;
    const env: Record<string, string> = {
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_NODEJS_TRANSPILE_ONLY: process.env.PULUMI_NODEJS_TRANSPILE_ONLY ?? "true",
      ...options.env,
    };
    if (engine.engine === "pulumi") await recordBackendForPulumi(folder);
    else {
      const project = await openProject({}, folder);
      requireSdk(project.programDirectory);
      await recordBackend(project);
      env.PULUMI_BACKEND_URL = project.backend.url;
    }
    const command = new PulumiCommand(engine, folder, { ...process.env, ...env });
    const list = async () => JSON.parse(await command.output(["stack", "ls", "--json"])) as { name: string }[];
    const stacks = await list().catch(({ message }) => {
      throw new UsageError(`the stacks of ${folder} cannot be listed: ${message}`);
    });
    const names = stacks.map(({ name }) => name.split("/").at(-1)!);
    return new FleetWorkspace(command, options, names);
  }

  /** Runs an operation; one that runs the program brings the stack to the unit's configuration first. */
  async run(operation: FleetOperation, unit: Unit, onWait: OnWait): Promise<OperationResult> {
    const runsProgram = operation === "up" || operation === "preview";
    const kept = runsProgram ? await this.prepare(unit) : [];
    const work = new UnitOperation(this.command, unit.stack, this.options.message, onWait);
    try {
      if (operation === "remove") await this.remove(unit, work);
      else await work[operation]();
      return { ...(operation === "refresh" || operation === "drift" ? work.found : work.done), kept };
    } finally {
      work.close();
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
    const list = this.#lists.get(stack) ?? this.#configuration.readList(stack, listKey);
    this.#lists.set(stack, list);
    return list;
  }

  private async remove(unit: Unit, work: UnitOperation): Promise<void> {
    if (unit.listKey === undefined) {
      await work.destroy();
      await this.command.output(["stack", "rm", "--yes", unit.stack]);
      return;
    }
    const without = await this.customersWithoutRecord(unit);
    await this.#configuration.write(unit);
    try {
      await work.preview();
      await work.up();
    } catch (error) {
      await this.#configuration.write(withCustomers(unit, without));
      throw error;
    }
  }

  /** Resolves to the customers who have no record any more and are kept. */
  private async prepare(unit: Unit): Promise<string[]> {
    const { stack } = unit;
    if (this.stacks.has(stack)) await this.#configuration.restore(stack);
    else await this.createStack(stack);
    const kept = await this.customersWithoutRecord(unit);
    this.stacks.add(stack);
    await this.#configuration.write(withCustomers(unit, kept));
    return kept.map(({ id }) => id);
  }

  private async createStack(stack: string): Promise<void> {
    const { secretsProvider } = this.options;
    const encryption = secretsProvider === undefined ? [] : ["--secrets-provider", secretsProvider];
    // To select it would change what the user has selected.
    await this.command.output(["stack", "init", stack, "--no-select", ...encryption]).catch((error: Error) => {
      // An engine that outlived a killed run may have made it since the stacks were listed.
      if (!error.message.includes("already exists")) throw error;
    });
  }
}

/** The built-in engine looks for it, too, but only after a stack was created. */
function requireSdk(programDirectory: string): void {
  try {
    createRequire(join(programDirectory, "package.json")).resolve("@pulumi/pulumi/package.json");
  } catch {
    throw new UsageError(missingSdk("esign fleet"));
  }
}
