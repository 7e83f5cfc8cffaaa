/** Untyped exports of Pulumi's SDK that its own component server uses, too. */
import type { Inputs, Output } from "@pulumi/pulumi";
import * as server from "@pulumi/pulumi/provider/server";
import * as settings from "@pulumi/pulumi/runtime/settings";
import * as state from "@pulumi/pulumi/runtime/state";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";

interface Undeclared {
  /** Values of a message as the program has passed them, with outputs for what is secret, unknown, or depends on resources. */
  deserializeInputs(
    inputs: Struct,
    dependencies: { get(name: string): { getUrnsList(): string[] } | undefined },
  ): Promise<Inputs>;
  /** Asks the engine what it can do. */
  awaitFeatureSupport(): Promise<void>;
  /** Resolves when the engine has answered everything that it was sent. */
  waitForRPCs(): Promise<void>;
  /** Runs something with a state of its own. */
  withLocalStorage<T>(work: () => Promise<T>): Promise<T>;
}

export const { deserializeInputs, awaitFeatureSupport, waitForRPCs, withLocalStorage } = {
  ...server,
  ...settings,
  ...state,
} as unknown as Undeclared;

/** The value of an output, or its sentinel. */
export const promiseOf = <T>(output: Output<T>): Promise<T> =>
  (output as unknown as { promise(): Promise<T> }).promise();
