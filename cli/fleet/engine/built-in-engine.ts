/**
 * Deploys stacks in this process, since starting processes would be nearly all of a stack's cost. Each stack is opened for one operation
 * and closed again, with its own configuration, keys and connections; nothing of it is in `process.env`.
 */
import type {
  EngineError,
  EngineErrorCode,
  Operation,
  Project,
  RunOptions,
  RunResult,
  Stack,
} from "../../../engine/index";
import { runDeployment } from "../../deploy/deployment";
import { openAccount } from "../../deploy/deployment-account";
import type { Verb } from "../../deploy/run-options";
import { builtInStack } from "../../engine/built-in-stack";
import { OperationError } from "../../engine/pulumi-command";
import { describe } from "../../output/describe-error";
import { ExitError } from "../../output/errors";
import { rejectLocalPassphrase } from "../../project/local-passphrase";
import { forgetPendingCreates, rejectPendingCreates } from "../../project/stack-pending-creates";
import type { FleetEngine, FleetStack, StackConfiguration } from "./fleet-engine";

const verbs: Record<Operation, Verb> = { update: "up", preview: "preview", refresh: "refresh", destroy: "destroy" };

export class BuiltInEngine implements FleetEngine {
  /** The stack whose key new ones share, once it is there. */
  #keyOf: Promise<string | undefined> | undefined;

  readonly #project: Project;
  readonly #env: Record<string, string>;
  readonly #prefix: string;

  /**
   * @param project opened with the environment
   * @param prefix of the fleet's stacks: a new one shares the key of another
   */
  constructor(project: Project, env: Record<string, string>, prefix: string) {
    this.#project = project;
    this.#env = env;
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
      if (codeOf(error) !== "exists") throw asOperationError(error);
    });
  }

  async openStack(name: string): Promise<FleetStack> {
    try {
      const stack = await this.#project.openStack(name);
      await rejectLocalPassphrase(this.#project.directory, name, { ...process.env, ...this.#env });
      return new BuiltInFleetStack(stack, this.#env);
    } catch (error) {
      throw asOperationError(error);
    }
  }

  async removeStack(name: string): Promise<void> {
    const { programDirectory } = this.#project;
    try {
      const stack = await this.#project.openStack(name);
      rejectPendingCreates({ name, programDirectory });
      await stack.remove();
      forgetPendingCreates({ name, programDirectory });
    } catch (error) {
      throw asOperationError(error);
    }
  }
}

class BuiltInFleetStack implements FleetStack {
  readonly configuration: StackConfiguration;
  readonly #deployable;

  readonly #stack: Stack;
  readonly #env: Record<string, string>;

  constructor(stack: Stack, env: Record<string, string>) {
    this.#stack = stack;
    this.#env = env;
    this.#deployable = builtInStack(stack);
    this.configuration = new EditorConfiguration(stack.config);
  }

  /** As `esign up --yes` and the others run it, without a display of its own. */
  async run(operation: Operation, { preview = operation === "preview", ...options }: RunOptions): Promise<RunResult> {
    let result: RunResult | undefined;
    const env = { ...this.#env, ...options.env };
    const flags = { yes: true, previewOnly: preview, skipPreview: !preview };
    const account = () => openAccount(this.#stack.config, { ...process.env, ...env });
    const opened = async () => ({ stack: this.#deployable, account });
    const deployment = runDeployment(
      verbs[operation],
      { ...flags, ...(options.message !== undefined && { message: options.message }) },
      env,
      opened,
      {
        isHeadless: true,
        run: {
          historyEnvironment: { "exec.kind": "auto.local" },
          ...(options.withStates !== undefined && { withStates: options.withStates }),
        },
        onEvent: (event) => {
          if (event.type === "end") result = event.result;
          options.onEvent?.(event);
        },
      },
    );
    try {
      await deployment;
    } catch (error) {
      // It ended, and the events have said why.
      if (error instanceof ExitError && result !== undefined) return { ...result, ok: false };
      throw asOperationError(error);
    }
    if (result === undefined) throw new OperationError("it ended without a result", false);
    return result;
  }

  resources(options?: { showSecrets?: boolean }) {
    return this.#deployable.resources(options);
  }

  close(): Promise<void> {
    return this.#deployable.close();
  }
}

class EditorConfiguration implements StackConfiguration {
  readonly #editor: Stack["config"];

  constructor(editor: Stack["config"]) {
    this.#editor = editor;
  }

  async read() {
    const values = await this.#editor.list({ showSecrets: true }).catch(rethrow);
    return Object.fromEntries(values);
  }

  setAll(values: readonly { key: string; value: string }[]): Promise<void> {
    return this.#editor.setAll(values).catch(rethrow);
  }

  setSecret(key: string, value: string): Promise<void> {
    return this.#editor.set(key, value, { secret: true }).catch(rethrow);
  }

  removeAll(keys: readonly string[]): Promise<void> {
    return this.#editor.removeAll(keys).catch(rethrow);
  }

  async restore(): Promise<void> {
    await this.#editor.refresh({ force: true }).catch((error: Error) => {
      // It was never deployed.
      if (codeOf(error) !== "not-found") rethrow(error);
    });
  }
}

function rethrow(error: unknown): never {
  throw asOperationError(error);
}

/** That of an error of the engine. */
const codeOf = (error: Error): EngineErrorCode | undefined => (error as Partial<EngineError>).code;

/** As a command would end. */
function asOperationError(error: unknown): OperationError {
  const cause = error instanceof Error ? error : new Error(String(error));
  const message = cause instanceof ExitError ? "it ended without a message" : describe(cause).lines.join("\n");
  return new OperationError(message, codeOf(cause) === "locked");
}
