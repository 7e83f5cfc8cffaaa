/** The stacks of a project, as a fleet works with them. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { missingSdk } from "../../provider/core/pulumi-sdk";
import type { EngineChoice } from "../engine/choose-engine";
import { PulumiCommand } from "../engine/pulumi-command";
import { UsageError } from "../output/errors";
import { openProject } from "../project/open-project";
import { recordBackend, recordBackendForPulumi } from "../project/record-backend";
import { forgetPendingCreates } from "../project/stack-pending-creates";
import { type CustomerEntry, type CustomerStack, orphansOf, withOrphans } from "./customer-stacks";
import type { FleetEngine, FleetStack } from "./engine/fleet-engine";
import { PulumiEngine } from "./engine/pulumi-engine";
import { ManagedObjects } from "./managed-objects";
import type { Outcome } from "./run-fleet";
import { asOperationError } from "./stack/as-operation-error";
import { ConfigurationFile } from "./stack/configuration-file";
import type { OnWait } from "./stack/stack-display";
import { type FleetVerb, type Result, runOnStack } from "./stack/stack-operation";

/** `remove`: the stack, or from a shared one the customers without a record. */
export type FleetOperation = FleetVerb | "remove";

export interface OperationResult extends Pick<Outcome, "changes" | "account" | "isStateChanged"> {
  /** Customers who have no record any more, and remain. */
  orphans: string[];
}

interface WorkspaceOptions {
  /** The program's folder. */
  folder: string;
  engine: EngineChoice;
  /** What the stacks' names begin with. */
  prefix: string;
  /** Stacks that have a customer, or are to have one. */
  wanted: readonly string[];
  env: Record<string, string>;
  /** What encrypts the secrets of stacks that are created. Default: a passphrase. */
  secretsProvider?: string | undefined;
  message?: string | undefined;
}

export class FleetWorkspace {
  /** The project's stacks. */
  readonly stacks: Set<string>;
  /** The lists that shared stacks were deployed with: where they are encrypted, it takes a key, or a process, to read one. */
  readonly #lists = new Map<string, Promise<CustomerEntry[]>>();

  readonly #engine: FleetEngine;
  readonly #options: WorkspaceOptions;
  readonly #managed: ManagedObjects;

  private constructor(engine: FleetEngine, options: WorkspaceOptions, stacks: readonly string[]) {
    this.#engine = engine;
    this.#options = options;
    this.stacks = new Set(stacks);
    this.#managed = new ManagedObjects(
      engine,
      options.wanted.filter((stack) => this.stacks.has(stack)),
    );
  }

  static async open(options: WorkspaceOptions): Promise<FleetWorkspace> {
    const engine = await openEngine(options);
    const names = await engine.stackNames().catch(({ message }: Error) => {
      throw new UsageError(`the stacks of ${options.folder} cannot be listed: ${message}`);
    });
    return new FleetWorkspace(engine, options, names);
  }

  /**
   * Runs an operation; one that runs the program brings the stack to the customers' configuration first.
   * @throws {OperationError}
   */
  async run(operation: FleetOperation, customerStack: CustomerStack, onWait: OnWait): Promise<OperationResult> {
    try {
      return await this.#run(operation, customerStack, onWait);
    } catch (error) {
      throw asOperationError(error);
    }
  }

  async #run(operation: FleetOperation, customerStack: CustomerStack, onWait: OnWait): Promise<OperationResult> {
    const { stack } = customerStack;
    const runsProgram = operation === "up" || operation === "preview";
    const isNew = runsProgram && !this.stacks.has(stack);
    if (isNew) await this.#engine.createStack(stack);
    const opened = await this.#engine.openStack(stack);
    const { message } = this.#options;
    const deploy = (each: FleetVerb) => runOnStack(each, opened, { env: this.#engine.env, message, onWait });
    try {
      const orphans = runsProgram ? await this.#prepare(customerStack, opened, isNew) : [];
      const result = await (operation === "remove" ? this.#remove(customerStack, opened, deploy) : deploy(operation));
      return { ...result, orphans };
    } finally {
      await opened.stack.close();
    }
  }

  /** Customers of a shared stack who have no record any more. */
  async orphansOf(customerStack: CustomerStack): Promise<CustomerEntry[]> {
    const { stack, listKey } = customerStack;
    if (listKey === undefined || !this.stacks.has(stack)) return [];
    return orphansOf(customerStack, await this.customersIn(stack, listKey));
  }

  /** The list that a stack was deployed with before this run; empty for one that is not shared. */
  customersIn(stack: string, listKey: string): Promise<CustomerEntry[]> {
    const list = this.#lists.get(stack) ?? this.#readList(stack, listKey);
    this.#lists.set(stack, list);
    return list;
  }

  async #readList(stack: string, listKey: string): Promise<CustomerEntry[]> {
    try {
      const opened = await this.#engine.openStack(stack);
      try {
        return await this.#configurationOf(stack, opened).readList(listKey);
      } finally {
        await opened.stack.close();
      }
    } catch (error) {
      throw asOperationError(error);
    }
  }

  #configurationOf(stack: string, { configuration }: FleetStack): ConfigurationFile {
    return new ConfigurationFile(this.#options.folder, stack, configuration);
  }

  async #remove(
    customerStack: CustomerStack,
    opened: FleetStack,
    deploy: (verb: FleetVerb) => Promise<Result>,
  ): Promise<Result> {
    const { stack } = customerStack;
    await this.#managed.rejectShared(customerStack, opened);
    if (customerStack.listKey === undefined) {
      const result = await deploy("destroy");
      await this.#engine.removeStack(stack);
      forgetPendingCreates(opened.stack);
      return result;
    }
    const orphans = await this.orphansOf(customerStack);
    const configuration = this.#configurationOf(stack, opened);
    await configuration.write(customerStack);
    try {
      await deploy("preview");
      return await deploy("up");
    } catch (error) {
      await configuration.write(withOrphans(customerStack, orphans));
      throw error;
    }
  }

  /** Resolves to the customers who have no record any more. */
  async #prepare(customerStack: CustomerStack, opened: FleetStack, isNew: boolean): Promise<string[]> {
    const { stack } = customerStack;
    const configuration = this.#configurationOf(stack, opened);
    if (!isNew) await configuration.restore();
    const orphans = await this.orphansOf(customerStack);
    this.stacks.add(stack);
    await configuration.write(withOrphans(customerStack, orphans));
    return orphans.map(({ id }) => id);
  }
}

/** The built-in engine in this process, or processes of the Pulumi CLI. */
async function openEngine({ folder, engine, prefix, env, secretsProvider }: WorkspaceOptions): Promise<FleetEngine> {
  if (engine.engine === "pulumi") {
    await recordBackendForPulumi(folder);
    const settings = { PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    const command = new PulumiCommand(engine.path, folder, { ...settings, ...process.env, ...env });
    return new PulumiEngine(command, { folder, env, secretsProvider });
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
