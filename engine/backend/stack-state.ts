/**
 * Reads and edits the state of a stack.
 *
 * Used for: `state protect`, `unprotect`, `taint`, `untaint`, `rename` and `delete`.
 */
import type { Consent, StateEditor } from "../api";
import type { ResourceState } from "../resource/resource-state";
import { type Checkpoint, deserializeDeployment, encryptedResources } from "../state/checkpoint";
import { assertIntegrity, newState } from "../state/damaged-state";
import { deleteFromState, renameInState, setFlag } from "../state/edit-state";
import type { ResourceSerializer } from "../state/serializer";
import type { Snapshot } from "../state/snapshot";
import type { FileBackend } from "./file-backend";

/** Reads and writes the secrets of a checkpoint; with `writes`, also if it has no secrets yet. */
type SerializerFor = (checkpoint: Checkpoint, writes: boolean) => Promise<ResourceSerializer>;

interface LoadedState {
  checkpoint: Checkpoint;
  snapshot: Snapshot;
  serializer: ResourceSerializer;
}

export class StackState implements StateEditor {
  readonly #stack: string;
  readonly #backend: FileBackend;
  readonly #serializerFor: SerializerFor;

  constructor(stack: string, backend: FileBackend, serializerFor: SerializerFor) {
    this.#stack = stack;
    this.#backend = backend;
    this.#serializerFor = serializerFor;
  }

  async load(writes = false): Promise<LoadedState> {
    const checkpoint = await this.#backend.load(this.#stack);
    const serializer = await this.#serializerFor(checkpoint, writes);
    return { checkpoint, snapshot: deserializeDeployment(checkpoint.latest, serializer), serializer };
  }

  /** The resources. If their secrets are not requested, no passphrase is needed. */
  async resources(showSecrets: boolean): Promise<ResourceState[]> {
    if (showSecrets) return (await this.load()).snapshot.resources;
    return encryptedResources((await this.#backend.load(this.#stack)).latest);
  }

  /** Backs up the state and replaces it. The caller holds the lock. */
  async replace({ checkpoint, snapshot, serializer }: LoadedState): Promise<void> {
    await this.#backend.backup(this.#stack);
    await this.#backend.writer(this.#stack, checkpoint, serializer).write(snapshot);
  }

  #edit<T>(change: (snapshot: Snapshot) => T, confirm?: Consent["confirm"]): Promise<T> {
    return this.#backend.locks(this.#stack).run(async () => {
      const loaded = await this.load(true);
      const result = change(loaded.snapshot);
      assertIntegrity(loaded.snapshot.resources, newState("the state after this change"));
      await confirm?.();
      await this.replace(loaded);
      return result;
    });
  }

  protect(urns: string[] | "all"): Promise<number> {
    return this.#edit((s) => setFlag(s, urns, "protect", true));
  }
  unprotect(urns: string[] | "all"): Promise<number> {
    return this.#edit((s) => setFlag(s, urns, "protect", false));
  }
  taint(urns: string[] | "all"): Promise<number> {
    return this.#edit((s) => setFlag(s, urns, "taint", true));
  }
  untaint(urns: string[] | "all"): Promise<number> {
    return this.#edit((s) => setFlag(s, urns, "taint", false));
  }
  rename(urn: string, name: string): Promise<void> {
    return this.#edit((s) => renameInState(s, urn, name));
  }
  delete(
    urn: string,
    { confirm, ...options }: Consent & { force?: boolean; targetDependents?: boolean } = {},
  ): Promise<void> {
    return this.#edit((s) => deleteFromState(s, urn, options), confirm);
  }
}
