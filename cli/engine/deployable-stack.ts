/**
 * The interface by which commands deploy a stack with either engine: the built-in one, which is called, or the Pulumi CLI, which is a
 * process.
 */
import type { Operation, ResourceView, RunOptions, RunResult } from "../../engine/index";

export interface DeployableStack {
  /** Without organization and project. */
  readonly name: string;
  /** Name of the project. */
  readonly project: string;
  /** The folder with the program, beside which the provider keeps its records. */
  readonly programDirectory: string;
  /** What a heading calls the engine. */
  readonly engine: string;
  /** Whether a deletion that no plan has shown reaches a provider, which verifies the account, before anything leaves the state. */
  readonly verifiesDeletions: boolean;
  /** Resolves also when it failed. Rejects when nothing was begun. */
  run(operation: Operation, options: RunOptions): Promise<RunResult>;
  resources(options?: { showSecrets?: boolean }): Promise<readonly ResourceView[]>;
  /** Sets a value of the stack's configuration, in clear. */
  setConfig(key: string, value: string): Promise<void>;
  /** @throws {UsageError} if an operation would lose what an interrupted one has created */
  assertReady(operation: Operation): Promise<void>;
  /** Starts ahead what the next run needs, if that can be done. */
  prepare(operation: Operation, options: RunOptions): Promise<void>;
  close(): Promise<void>;
}
