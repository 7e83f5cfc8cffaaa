/**
 * The resources of an earlier deployment, from the history of a stack, as far as they can be declared again.
 *
 * Used for: `*.history.json` and `*.checkpoint.json` of the file:// backend.
 */

import type { ProjectSettings } from "../../config/project-settings";
import { EngineError, messageOf } from "../../errors";
import { hashAssets } from "../../monitor/asset-hashes";
import { containsUnknown, isEqual, type ValueMap } from "../../resource/property-value";
import type { ResourceState } from "../../resource/resource-state";
import { isDefaultProvider, stackOf } from "../../resource/urn";
import type { PassphraseManager } from "../../secrets/passphrase-sources";
import { deserializeDeployment } from "../../state/checkpoint";
import { ResourceSerializer } from "../../state/serializer";
import type { FileBackend } from "../file-backend";
import { saltOf } from "../stack-secrets";

/** A stack with a history. */
export interface EarlierStack {
  readonly name: string;
  readonly backend: FileBackend;
  readonly passphrases: PassphraseManager;
  readonly settings: Pick<ProjectSettings, "programDirectory">;
}

function refuseVersion(stack: string, version: number, what: string): never {
  throw new EngineError(
    `version ${version} of ${stack} ${what}. \`stack history\` lists the versions; the program of that time is in your version control`,
  );
}

type Entry = Awaited<ReturnType<FileBackend["history"]>>[number];

/** @throws {EngineError} if the history of the stack lacks it */
export function findVersion(stack: string, history: readonly Entry[], version: number | "previous"): Entry {
  const entry = version === "previous" ? beforeLastUpdate(history) : history.find((each) => each.version === version);
  if (entry !== undefined) return entry;
  if (version !== "previous") return refuseVersion(stack, version, `is not in the history, which ${rangeOf(history)}`);
  throw new EngineError("the history has no deployment before the last update. `stack history` lists the versions");
}

function beforeLastUpdate(history: readonly Entry[]): Entry | undefined {
  const last = history.findIndex(({ kind }) => kind === "update");
  const before = last < 0 ? [] : history.slice(last + 1);
  return before.find(({ kind, result }) => kind !== "destroy" && result === "succeeded");
}

/** Includes default providers. @throws {EngineError} if the deployment is incomplete, or some of its values can no longer be determined */
export async function loadEarlierState(stack: EarlierStack, version: number): Promise<ResourceState[]> {
  const refuse = (what: string): never => refuseVersion(stack.name, version, what);
  const entry = findVersion(stack.name, await stack.backend.history(stack.name), version);
  if (entry.kind === "destroy") refuse("is a destroy: use `destroy`");
  if (entry.result !== "succeeded") refuse("failed: what it left is not a complete deployment");
  const checkpoint = await stack.backend.historyState(stack.name, version);
  if (checkpoint === undefined) return refuse("has no state in the history");
  const salt = saltOf(checkpoint);
  const resources = await open().catch((error) => refuse(`has secrets that are lost: ${messageOf(error)}`));
  async function open(): Promise<ResourceState[]> {
    const crypter =
      checkpoint!.hasSecrets && salt !== undefined ? await stack.passphrases.openCrypter(salt) : undefined;
    return deserializeDeployment(checkpoint!.latest, new ResourceSerializer(crypter)).resources;
  }
  const current = resources.filter((r) => !r.delete && !r.pendingReplacement);
  const declared = current.filter((r) => !isDefaultProvider(r));
  for (const { urn, inputs = {} } of declared) {
    if (stackOf(urn) !== stack.name) refuse(`is of the time when the stack was called ${stackOf(urn)}`);
    if (containsUnknown(inputs)) refuse(`has unknown values in ${urn}`);
    const now = await currentFiles(inputs, stack).catch((error) =>
      refuse(`needs a file of ${urn}: ${messageOf(error)}`),
    );
    if (!isEqual(now, inputs)) refuse(`needs a file that has changed since, in ${urn}: restore the file first`);
  }
  if (!declared.some((r) => r.custom)) refuse("has no resources: use `destroy`");
  return current;
}

function rangeOf(history: readonly { version: number }[]): string {
  const versions = history.map((each) => each.version);
  return versions.length === 0 ? "is empty" : `has ${Math.min(...versions)} to ${Math.max(...versions)}`;
}

/** Inputs with the current hashes of the files that they name. */
const currentFiles = (inputs: ValueMap, { settings }: EarlierStack): Promise<ValueMap> =>
  hashAssets(inputs, settings.programDirectory);
