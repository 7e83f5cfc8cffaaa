/** What components need of where they run: Pulumi's SDK in a program, or an engine in the same process. */
import type { ResourceKind } from "../../definitions/model";
import type { ErrorCode } from "../core/error-codes";

/** A text, or what has one later: an output. */
export type Later = unknown;

export interface Surroundings {
  project: string;
  stack: string;
  /** The folder of the program: paths begin there. */
  directory: string;
  /** That of the stack's file. */
  rootDirectory: string;
  /** The stack's configuration, by full key. */
  config(key: string): string | undefined;
  isSecretConfig(key: string): boolean;
  /** Shows a warning. */
  warn(message: string): void;
  /** Throws an error that the engine shows without a stack. */
  fail(code: ErrorCode, subject: string, problem: string, fix?: string): never;
  /** A text as a secret. */
  secret(text: string): Later;
  /** What is made of values of which some are outputs: an output. */
  combine(values: Record<string, Later>, make: (resolved: Record<string, unknown>) => unknown): Later;
}

/** Declares the resources in one component; `Resource` is how their program refers to them. */
export interface Declarer<Resource> extends Surroundings {
  resource(kind: ResourceKind, name: string, args: Record<string, Later>): Resource;
}
