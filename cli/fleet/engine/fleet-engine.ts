/** The interface between a fleet and the engine that deploys its stacks, in this process or in others. */
import type { OpenedStack } from "../../deploy/open-stack";

interface ConfigurationValue {
  value?: string | undefined;
  secret: boolean;
}

/** The configuration of a stack, by full key. Each call may be a process: what can be read from the file is. */
export interface StackConfiguration {
  /** All values, also the secret ones. */
  read(): Promise<Readonly<Record<string, ConfigurationValue>>>;
  /** Sets values in clear. */
  setAll(values: readonly { key: string; value: string }[]): Promise<void>;
  setSecret(key: string, value: string): Promise<void>;
  removeAll(keys: readonly string[]): Promise<void>;
  /** Makes it that of the last deployment, if there was one. */
  restore(): Promise<void>;
}

/** A stack that is open, to be deployed as that of a command is. */
export interface FleetStack extends OpenedStack {
  readonly configuration: StackConfiguration;
}

/** The stacks of one project. */
export interface FleetEngine {
  stackNames(): Promise<string[]>;
  /** What the engine, the program and the providers need in the environment. */
  readonly env: Record<string, string>;
  /** Creates an empty stack, unless there is one of this name. What a user has selected remains so. */
  createStack(name: string): Promise<void>;
  /** To be closed: what a stack needs is kept as long as it is worked on. */
  openStack(name: string): Promise<FleetStack>;
  /** Removes a stack without resources. */
  removeStack(name: string): Promise<void>;
}
