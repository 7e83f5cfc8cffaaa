/**
 * What a run begins with: the state, the configuration and the SDK, all read before anything is told or touched.
 *
 * Serves: the checkpoint file and `Pulumi.<stack>.yaml`, as a run finds them.
 */
import type { RunOptions } from "../api";
import type { ProjectSettings } from "../config/project-settings";
import { resolve, type Settings } from "../config/resolve";
import type { StackFile } from "../config/stack-settings";
import { type RawValue, secretTexts } from "../config/values";
import type { Reporter } from "../deploy/event-sink";
import type { Operation } from "../events";
import { type FoundSdk, loadSdk, type Sdk } from "../plugin/node-sdk";
import { parsePath } from "../resource/property-path";
import type { ValueMap } from "../resource/property-value";
import type { Keyring } from "../secrets/passphrase";
import { type Checkpoint, openDeployment } from "../state/checkpoint";
import type { StateCodec } from "../state/serializer";
import type { Deployment } from "../state/snapshot";
import type { Backend } from "./file-backend";
import { openSecrets } from "./stack-secrets";

/** What a run needs of the stack that it changes. */
export interface UpdateTarget {
  readonly name: string;
  readonly settings: ProjectSettings;
  readonly store: Backend;
  readonly keyring: Keyring;
  readonly env: NodeJS.ProcessEnv;
  /** The stack's configuration. */
  file(): Promise<StackFile>;
  /** The outputs of another stack of the project, for a reference to it. */
  outputsOf(stack: string): Promise<ValueMap>;
}

/** One operation under way. */
export interface Run {
  stack: UpdateTarget;
  operation: Exclude<Operation, "preview">;
  preview: boolean;
  options: RunOptions;
  /** Whether the program is run, or the operation goes by the state alone. */
  runsProgram: boolean;
  /** Whether everything is read from the service. */
  refreshes: boolean;
  reporter: Reporter;
}

export interface Opened {
  sdk: Sdk;
  checkpoint: Checkpoint;
  codec: StateCodec;
  state: Deployment;
  /** The stack's configuration, as its file has it. */
  values: Map<string, RawValue>;
  /** The same with the project's defaults, for the program; empty when none runs. */
  settings: Settings;
}

/** Reads everything, and tells the reporter what must not be printed. */
export async function openRun(
  { stack, preview, options, runsProgram, reporter }: Run,
  found: FoundSdk,
): Promise<Opened> {
  const checkpoint = await stack.store.load(stack.name);
  const file = await stack.file();
  const opening = openSecrets(stack.keyring, checkpoint, file, !preview);
  opening.catch(() => undefined);
  // The key is made in another thread while the libraries load in this one.
  const sdk = loadSdk(found);
  const { codec, config: crypter } = await opening;
  const state = openDeployment(checkpoint.latest, codec);
  const disclosed = (options.disclosed ?? []).flatMap((path) => [parsePath(path) ?? []]);
  for (const { outputs } of state.resources) for (const path of disclosed) reporter.spare(outputs, path);
  for (const { inputs, outputs } of state.resources) for (const values of [inputs, outputs]) reporter.hide(values);
  const values = file.values();
  const settings: Settings = runsProgram
    ? resolve({
        project: stack.settings.name,
        stack: stack.name,
        values,
        declarations: stack.settings.declarations,
        crypter,
        extra: options.config,
      })
    : new Map();
  for (const { secret, text } of settings.values()) if (secret) reporter.hideText(text);
  if (crypter !== undefined) for (const text of secretTexts(values.values(), crypter)) reporter.hideConfigured(text);
  return { sdk, checkpoint, codec, state, values, settings };
}
