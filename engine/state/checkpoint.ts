/**
 * The content of a stack's state file: its schema, what is rejected, and its conversion to a deployment and back.
 *
 * Used for: the checkpoint file, versions 3 and 4.
 */

import { EngineError } from "../errors";
import { RESOURCE_FIELDS } from "../resource/resource-fields";
import type { PendingOperation, ResourceState } from "../resource/resource-state";
import { assertIntegrity, magicOf, readState, type StateSource, throwIfAny } from "./damaged-state";
import { schemaErrors } from "./schema-errors";
import { isEmpty, type ResourceSerializer } from "./serializer";
import type { Snapshot } from "./snapshot";

/** Features of version 4 that are supported; any other is rejected. */
const FEATURES: Record<string, (r: ResourceState) => boolean> = {
  taint: (r) => r.taint === true,
  replaceWith: (r) => (r.replaceWith ?? []).length > 0,
};
/** The features that resources use. With any of them the version is 4, so that older CLIs reject the state. */
const featuresOf = (resources: readonly ResourceState[]): string[] =>
  Object.keys(FEATURES)
    .filter((name) => resources.some(FEATURES[name] as (r: ResourceState) => boolean))
    .sort();
/** Version and features of a deployment, as the file and an export have them. */
export const versionOf = (resources: readonly ResourceState[]): { version: number; features?: string[] } => {
  const features = featuresOf(resources);
  return features.length === 0 ? { version: 3 } : { version: 4, features };
};
/** Rejects unknown versions and features. */
export function checkVersion(version: unknown, features: unknown, fail: (what: string) => never): void {
  if (version !== 3 && version !== 4) fail(`is a state of version ${String(version)}`);
  const strange = (Array.isArray(features) ? features : []).filter((f) => !(String(f) in FEATURES));
  if (strange.length > 0) fail(`uses the features ${strange.join(", ")}`);
}

/** The version of the writer of a state, from which its "magic" is computed. */
const MANIFEST_VERSION = "embedded-engine-1";

/** The parsed file of a stack, with its secrets encrypted. */
export interface Checkpoint {
  /** The fields beside the deployment. */
  outer: Record<string, unknown>;
  /** True if there is anything to decrypt. */
  hasSecrets: boolean;
  /** `checkpoint.latest`; undefined for a stack without a deployment. */
  latest: Record<string, unknown> | undefined;
}

export const newManifest = (): Record<string, unknown> => ({
  time: new Date().toISOString(),
  magic: magicOf(MANIFEST_VERSION),
  version: MANIFEST_VERSION,
});

/** The whole content of the file, around a deployment. */
export const wrapCheckpoint = (
  id: string,
  around: Record<string, unknown>,
  latest: unknown,
  resources: readonly ResourceState[],
): Record<string, unknown> => {
  const { checkpoint, version: _version, features: _features, ...rest } = around;
  return {
    ...versionOf(resources),
    ...rest,
    checkpoint: { ...((checkpoint as Record<string, unknown> | undefined) ?? {}), stack: id, latest },
  };
};

/** Parses a file's content. */
export function parseCheckpoint(content: unknown, file: string, hasSecrets: boolean): Checkpoint {
  const fail = (what: string): never => {
    throw new EngineError(
      `${file} ${what}, which is not supported by the built-in engine. Nothing was changed; use the Pulumi CLI for this stack`,
    );
  };
  const outer = content as { version?: unknown; features?: unknown[]; checkpoint?: { latest?: unknown } };
  throwIfAny(typeof outer?.version === "undefined" ? ["it has no version"] : [], readState(file));
  checkVersion(outer.version, outer.features, fail);
  throwIfAny(
    typeof outer.checkpoint === "object" && outer.checkpoint !== null ? [] : ["it has no checkpoint"],
    readState(file),
  );
  const latest = outer.checkpoint?.latest as Record<string, unknown> | null | undefined;
  if (latest !== null && latest !== undefined) checkDeployment(latest, readState(), fail);
  // The deployment is not part of it, so that the old state can be garbage collected during an operation.
  const { latest: _latest, ...checkpoint } = (outer.checkpoint as Record<string, unknown> | undefined) ?? {};
  return { outer: { ...outer, checkpoint }, hasSecrets, latest: latest ?? undefined };
}

/** Rejects a deployment with parts that the engine does not support. */
export function checkDeployment(
  latest: Record<string, unknown>,
  origin: StateSource,
  fail: (what: string) => never,
): void {
  throwIfAny(schemaErrors(latest), origin);
  const secrets = latest.secrets_providers as { type?: string } | undefined;
  if (secrets?.type !== undefined && secrets.type !== "" && secrets.type !== "passphrase")
    fail(`keeps its secrets with the secrets provider "${secrets.type}"`);
  const m = latest.manifest as { version?: string; magic?: string } | null | undefined;
  if (m && (m.magic ?? "") !== magicOf(m.version ?? "")) fail("has a manifest whose magic does not fit its version");
  for (const part of ["snippets", "extensions"] as const) {
    const v = latest[part];
    if (v !== undefined && v !== null && Object.keys(v as object).length > 0) fail(`holds ${part}`);
  }
  for (const r of [
    ...((latest.resources as ResourceState[] | undefined) ?? []),
    ...((latest.pending_operations as PendingOperation[] | undefined) ?? []).map((p) => p.resource),
  ]) {
    for (const { name, unsupported } of RESOURCE_FIELDS)
      if (unsupported !== undefined && !isEmpty(r[name])) fail(`holds ${r.urn} with ${unsupported}`);
  }
}

/** The resources in the content of a checkpoint, with encrypted secrets. */
export function encryptedResources(latest: Record<string, unknown> | undefined): ResourceState[] {
  const resources = (latest?.resources as ResourceState[] | undefined) ?? [];
  assertIntegrity(resources, readState());
  return resources;
}

/** Converts the content of a checkpoint to a deployment in place, and decrypts its secrets. */
export function deserializeDeployment(
  latest: Record<string, unknown> | undefined,
  serializer: ResourceSerializer,
  origin = readState(),
): Snapshot {
  const { manifest: _manifest, resources, pending_operations, ...rest } = latest ?? {};
  const opened = ((resources as Record<string, unknown>[] | undefined) ?? []).map((r) => serializer.deserialize(r));
  assertIntegrity(opened, origin);
  return {
    resources: opened,
    pendingOperations: ((pending_operations as PendingOperation[] | undefined) ?? []).map((p) => ({
      ...p,
      resource: serializer.deserialize(p.resource as unknown as Record<string, unknown>),
    })),
    unknownFields: rest,
  };
}

/** The deployment in the form of the file. */
export function serializeDeployment(
  snapshot: Snapshot,
  serializer: ResourceSerializer,
  showSecrets = false,
): Record<string, unknown> {
  return {
    manifest: newManifest(),
    ...snapshot.unknownFields,
    ...(snapshot.resources.length > 0 && {
      resources: snapshot.resources.map((r) => serializer.serialize(r, showSecrets)),
    }),
    ...(snapshot.pendingOperations.length > 0 && {
      pending_operations: snapshot.pendingOperations.map((p) => ({
        ...p,
        resource: serializer.serialize(p.resource, showSecrets),
      })),
    }),
  };
}
