/** Stacks of the Pulumi CLI, in processes of its own. */
import { z } from "zod";
import type { Project } from "../../../engine/index";
import { tryParseJson } from "../../../fs/json-text";
import { accountBeside } from "../../deploy/open-stack";
import { OperationError } from "../../engine/operation-error";
import type { PulumiCommand } from "../../engine/pulumi-command";
import { saysNotDeployed, saysStackExists } from "../../engine/pulumi-diagnostics";
import { PulumiStack } from "../../engine/pulumi-stack";
import { openProject } from "../../project/open-project";
import { projectName } from "../../project/project-files";
import type { FleetEngine, FleetStack, StackConfiguration } from "./fleet-engine";

const configValues = z.record(z.string(), z.looseObject({ value: z.string().optional(), secret: z.boolean() }));

interface PulumiEngineOptions {
  /** The project's folder. */
  folder: string;
  env: Record<string, string>;
  /** What encrypts the secrets of stacks that are created. Default: a passphrase. */
  secretsProvider?: string | undefined;
}

export class PulumiEngine implements FleetEngine {
  /** The same project as the built-in engine sees it; undefined where it cannot. */
  #project: Promise<Project | undefined> | undefined;

  readonly #command: PulumiCommand;
  readonly #options: PulumiEngineOptions;

  constructor(command: PulumiCommand, options: PulumiEngineOptions) {
    this.#command = command;
    this.#options = options;
  }

  get env(): Record<string, string> {
    return this.#options.env;
  }

  async stackNames(): Promise<string[]> {
    const stacks = JSON.parse(await this.#command.output(["stack", "ls", "--json"])) as { name: string }[];
    return stacks.map(({ name }) => name.split("/").at(-1)!);
  }

  async createStack(name: string): Promise<void> {
    const { secretsProvider } = this.#options;
    const encryption = secretsProvider === undefined ? [] : ["--secrets-provider", secretsProvider];
    // To select it would change what the user has selected.
    await this.#command.output(["stack", "init", name, "--no-select", ...encryption]).catch((error: Error) => {
      // An engine that outlived a killed run may have made it since the stacks were listed.
      if (!saysStackExists(error)) throw error;
    });
  }

  async openStack(name: string): Promise<FleetStack> {
    const { folder, env } = this.#options;
    this.#project ??= openProject(env, folder, { asks: false }).catch(() => undefined);
    const project = await this.#project;
    const stack = new PulumiStack(this.#command, {
      ...{ fullName: name, name, project: projectName(folder) },
      programDirectory: project?.programDirectory ?? folder,
      // The history says that a program has run it, in the Automation API's word.
      arguments: ["--exec-kind", "auto.local"],
      reportsPendingOperations: false,
      isCommandShared: true,
      readState: (showSecrets) => readState(project, name, showSecrets),
      fail: (error) => {
        throw error;
      },
    });
    // Only deployments that delete need it, and to read it takes a key.
    return {
      stack,
      account: async () => ({
        label: undefined,
        configuration: async () => (await accountBeside(name, env, folder)).configuration(),
      }),
      configuration: new CommandConfiguration(this.#command, name),
    };
  }

  async removeStack(name: string): Promise<void> {
    await this.#command.output(["stack", "rm", "--yes", name]);
  }
}

/**
 * The state as `stack export` prints it: where it is in files, the built-in engine reads it without a process, and makes the key of each
 * stack once. Undefined where only the CLI can read it.
 */
async function readState(
  project: Project | undefined,
  name: string,
  showSecrets: boolean,
): Promise<string | undefined> {
  // Where nothing says where the states are, the CLI has them where it is logged in.
  if (project === undefined || project.backend.source === "default") return undefined;
  try {
    return JSON.stringify(await (await project.openStack(name)).export({ showSecrets }));
  } catch {
    return undefined;
  }
}

class CommandConfiguration implements StackConfiguration {
  readonly #selection: readonly string[];

  readonly #command: PulumiCommand;
  readonly #stack: string;

  constructor(command: PulumiCommand, stack: string) {
    this.#command = command;
    this.#stack = stack;
    this.#selection = ["--stack", stack];
  }

  async read(): Promise<z.output<typeof configValues>> {
    const output = await this.#command.output(["config", "--show-secrets", "--json", ...this.#selection]);
    const parsed = configValues.safeParse(tryParseJson(output));
    if (parsed.success) return parsed.data;
    // What is wrong with it may be secret.
    throw new OperationError(
      `the configuration of ${this.#stack} cannot be read: \`config --json\` printed something else. To see it: esign config --stack ${this.#stack}`,
      false,
    );
  }

  async setAll(values: readonly { key: string; value: string }[]): Promise<void> {
    const pairs = values.flatMap(({ key, value }) => ["--plaintext", `${key}=${value}`]);
    await this.#command.output(["config", "set-all", ...this.#selection, ...pairs]);
  }

  async setSecret(key: string, value: string): Promise<void> {
    // Through standard input: all users of a machine see the arguments of a process.
    await this.#command.output(["config", "set", key, "--secret", ...this.#selection], value);
  }

  async removeAll(keys: readonly string[]): Promise<void> {
    await this.#command.output(["config", "rm-all", ...this.#selection, ...keys]);
  }

  async restore(): Promise<void> {
    await this.#command.output(["config", "refresh", "--force", ...this.#selection]).catch((error: Error) => {
      if (!saysNotDeployed(error)) throw error;
    });
  }
}
