/** The stacks of a project, as a fleet works with them. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { missingSdk } from "../../provider/core/pulumi-sdk";
import type { EngineChoice } from "../engine/choose-engine";
import { PulumiCommand } from "../engine/pulumi-command";
import { UsageError } from "../output/exit-codes";
import { openProject, recordBackend, recordBackendForPulumi } from "../project/session";
import type { FleetEngine, FleetStack } from "./engine/fleet-engine";
import { PulumiEngine } from "./engine/pulumi-engine";
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
  /** What the stacks' names begin with. */
  prefix: string;
  env: Record<string, string>;
  /** What encrypts the secrets of stacks that are created. Default: a passphrase. */
  secretsProvider?: string | undefined;
  message?: string | undefined;
}

export class FleetWorkspace {
  /** The project's stacks. */
  readonly stacks: Set<string>;
  /** The lists that shared stacks were deployed with: where they are encrypted, it takes a key, or a process, to read one. */
  readonly #lists = new Map<string, Promise<Listed[]>>();

  readonly #engine: FleetEngine;
  readonly #options: WorkspaceOptions;

  private constructor(engine: FleetEngine, options: WorkspaceOptions, stacks: readonly string[]) {
    this.#engine = engine;
    this.#options = options;
    this.stacks = new Set(stacks);
  }

  static async open(options: WorkspaceOptions): Promise<FleetWorkspace> {
    const engine = await openEngine(options);
    const names = await engine.stackNames().catch(({ message }: Error) => {
      throw new UsageError(`the stacks of ${options.folder} cannot be listed: ${message}`);
    });
    return new FleetWorkspace(engine, options, names);
  }

  /** Runs an operation; one that runs the program brings the stack to the unit's configuration first. */
  async run(operation: FleetOperation, unit: Unit, onWait: OnWait): Promise<OperationResult> {
    const { stack } = unit;
    const runsProgram = operation === "up" || operation === "preview";
    const isNew = runsProgram && !this.stacks.has(stack);
    if (isNew) await this.#engine.createStack(stack);
    const opened = await this.#engine.openStack(stack);
    const work = new UnitOperation(opened, this.#options.message, onWait);
    try {
      const kept = runsProgram ? await this.#prepare(unit, opened, isNew) : [];
      if (operation === "remove") await this.#remove(unit, opened, work);
      else await work[operation]();
      return { ...(operation === "refresh" || operation === "drift" ? work.found : work.done), kept };
    } finally {
      work.close();
      await opened.close();
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
    const list = this.#lists.get(stack) ?? this.#readList(stack, listKey);
    this.#lists.set(stack, list);
    return list;
  }

  async #readList(stack: string, listKey: string): Promise<Listed[]> {
    const opened = await this.#engine.openStack(stack);
    try {
      return await this.#configurationOf(stack, opened).readList(listKey);
    } finally {
      await opened.close();
    }
  }

  #configurationOf(stack: string, { configuration }: FleetStack): UnitConfiguration {
    return new UnitConfiguration(this.#options.folder, stack, configuration);
  }

  async #remove(unit: Unit, opened: FleetStack, work: UnitOperation): Promise<void> {
    const { stack } = unit;
    if (unit.listKey === undefined) {
      await work.destroy();
      await this.#engine.removeStack(stack);
      return;
    }
    const without = await this.customersWithoutRecord(unit);
    const configuration = this.#configurationOf(stack, opened);
    await configuration.write(unit);
    try {
      await work.preview();
      await work.up();
    } catch (error) {
      await configuration.write(withCustomers(unit, without));
      throw error;
    }
  }

  /** Resolves to the customers who have no record any more and are kept. */
  async #prepare(unit: Unit, opened: FleetStack, isNew: boolean): Promise<string[]> {
    const { stack } = unit;
    const configuration = this.#configurationOf(stack, opened);
    if (!isNew) await configuration.restore();
    const kept = await this.customersWithoutRecord(unit);
    this.stacks.add(stack);
    await configuration.write(withCustomers(unit, kept));
    return kept.map(({ id }) => id);
  }
}

/** The built-in engine in this process, or processes of the Pulumi CLI. */
async function openEngine({ folder, engine, prefix, env, secretsProvider }: WorkspaceOptions): Promise<FleetEngine> {
  if (engine.engine === "pulumi") {
    await recordBackendForPulumi(folder);
    const settings = { PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    const command = new PulumiCommand(engine.path, folder, { ...settings, ...process.env, ...env });
    return new PulumiEngine(command, { folder, secretsProvider });
  }
  if (secretsProvider !== undefined && secretsProvider !== "passphrase")
    throw new UsageError("the built-in engine encrypts with a passphrase only: leave out --secrets-provider");
  const project = await openProject(env, folder, { asks: false });
  await recordBackend(project);
  if (project.runtime === "nodejs") requireSdk(project.programDirectory);
  const { BuiltInEngine } = await import("./engine/built-in-engine.js");
  return new BuiltInEngine(project, env, prefix);
}

/** The built-in engine looks for it, too, but only after a stack was created. */
function requireSdk(programDirectory: string): void {
  try {
    createRequire(join(programDirectory, "package.json")).resolve("@pulumi/pulumi/package.json");
  } catch {
    throw new UsageError(missingSdk("esign fleet"));
  }
}
