/**
 * Deploys stacks in this process, since starting processes would be nearly all of a stack's cost. Each stack is opened for one operation
 * and closed again, with its own configuration, keys and connections; nothing of it is in `process.env`.
 */
import type { EngineError, EngineErrorCode, Project, Stack } from "../../../engine/index";
import { deploymentAccount } from "../../deploy/deployment-account";
import { builtInStack } from "../../engine/built-in-stack";
import { rejectLocalPassphrase } from "../../project/local-passphrase";
import type { FleetEngine, FleetStack, StackConfiguration } from "./fleet-engine";

export class BuiltInEngine implements FleetEngine {
  /** The stack whose key new ones share, once it is there. */
  #keyOf: Promise<string | undefined> | undefined;

  readonly env: Record<string, string>;
  readonly #project: Project;
  readonly #prefix: string;

  /**
   * @param project opened with the environment
   * @param prefix of the fleet's stacks: a new one shares the key of another
   */
  constructor(project: Project, env: Record<string, string>, prefix: string) {
    this.#project = project;
    this.env = env;
    this.#prefix = prefix;
  }

  stackNames(): Promise<string[]> {
    return this.#project.stackNames();
  }

  async createStack(name: string): Promise<void> {
    const isFirst = this.#keyOf === undefined;
    this.#keyOf ??= this.#createFirst(name);
    const keyOf = await this.#keyOf.catch(() => undefined);
    if (isFirst) await this.#keyOf;
    else await this.#create(name, keyOf);
  }

  /** Resolves to the stack whose key it has, which is that of a stack before it, or its own. */
  async #createFirst(name: string): Promise<string> {
    const before = (await this.stackNames()).find((stack) => stack.startsWith(this.#prefix));
    await this.#create(name, before);
    return name;
  }

  async #create(name: string, keyOf: string | undefined): Promise<void> {
    await this.#project.initStack(name, keyOf === undefined ? {} : { keyOf }).catch((error: Error) => {
      if (codeOf(error) !== "exists") throw error;
    });
  }

  async openStack(name: string): Promise<FleetStack> {
    const stack = await this.#project.openStack(name);
    const env = { ...process.env, ...this.env };
    await rejectLocalPassphrase(this.#project.directory, name, env);
    return {
      stack: builtInStack(stack),
      account: () => deploymentAccount(stack.config, env),
      configuration: new EditorConfiguration(stack.config),
    };
  }

  async removeStack(name: string): Promise<void> {
    await (await this.#project.openStack(name)).remove();
  }
}

class EditorConfiguration implements StackConfiguration {
  readonly #editor: Stack["config"];

  constructor(editor: Stack["config"]) {
    this.#editor = editor;
  }

  async read() {
    const values = await this.#editor.list({ showSecrets: true });
    return Object.fromEntries(values);
  }

  setAll(values: readonly { key: string; value: string }[]): Promise<void> {
    return this.#editor.setAll(values);
  }

  setSecret(key: string, value: string): Promise<void> {
    return this.#editor.set(key, value, { secret: true });
  }

  removeAll(keys: readonly string[]): Promise<void> {
    return this.#editor.removeAll(keys);
  }

  async restore(): Promise<void> {
    await this.#editor.refresh({ force: true }).catch((error: Error) => {
      // It was never deployed.
      if (codeOf(error) !== "not-found") throw error;
    });
  }
}

/** That of an error of the engine. */
const codeOf = (error: Error): EngineErrorCode | undefined => (error as Partial<EngineError>).code;
