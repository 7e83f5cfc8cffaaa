/**
 * The state during an operation. Completed resources come first, in the order of completion; the rest of the old state
 * follows in its old order. So a resource is always after the ones that it refers to, even if the run fails or is killed. Two writes are
 * awaited: the one that an operation begins, before it begins, and the one with its result, before the result is reported. One write
 * serves all that wait for it.
 *
 * Used for: the checkpoint file while an operation runs.
 */

import { rewriteUrns, type UrnMapping } from "../resource/rename-urns";
import type { PendingOperation, ResourceState } from "../resource/resource-state";
import type { CheckpointWriter } from "./checkpoint-writer";
import type { Snapshot } from "./snapshot";
import { aliasMapping, dropDanglingReferences, recordedResource, sortByReferences } from "./snapshot-order";

/** How long a write waits for others that are about to need one, in milliseconds. */
const BATCH_WINDOW_MS = 50;

/** The result of a step. */
export interface StateChange {
  /** The operation that was announced with {@link SnapshotManager.beginMutation}. */
  operation?: ResourceState | undefined;
  /** The old state that is replaced by a new one, or removed. */
  done?: ResourceState | undefined;
  added?: ResourceState | undefined;
  /** The run does not change it, so an operation that an earlier run left pending remains pending. */
  isUntouched?: boolean | undefined;
}

export class SnapshotManager {
  #news: ResourceState[] = [];
  readonly #dones = new Set<ResourceState>();
  readonly #pending = new Map<ResourceState, PendingOperation["type"]>();
  /** Resources with a result in this run, whose earlier pending operations are thereby settled. */
  readonly #resolvedPending = new Set<string>();
  /** The same for creates, which only their own outcome settles, since an old version of the resource may exist. */
  readonly #resolvedCreates = new Set<string>();
  #base: readonly ResourceState[];
  /** The results that are not in the file yet. */
  #unsavedChanges: StateChange[] = [];
  /** A refresh removed resources while others that refer to them were not registered yet. */
  #mayDangle = false;
  /** An unchanged resource was recorded, perhaps before those that it refers to. */
  #mayBeUnordered = false;
  #isDirty = false;

  #waiters: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  #writing: Promise<void> | undefined;
  #flushNow: (() => void) | undefined;
  /** Other operations are likely to need a write soon. */
  #expectsMoreWrites = false;

  readonly #initial: Snapshot;
  /** Absent in a preview: then nothing is written. */
  readonly #writer: CheckpointWriter | undefined;

  constructor(initial: Snapshot, writer: CheckpointWriter | undefined) {
    this.#initial = initial;
    this.#writer = writer;
    this.#base = initial.resources;
  }

  get writes(): number {
    return this.#writer?.writes ?? 0;
  }

  /** An operation is about to begin. */
  beginMutation(state: ResourceState, type: PendingOperation["type"], expectsMoreWrites = false): Promise<void> {
    this.#pending.set(state, type);
    return this.#persist(expectsMoreWrites);
  }

  /** Records the result of an operation; resolves when it is saved. */
  endMutation(change: StateChange, expectsMoreWrites = false): Promise<void> {
    this.recordLazily(change);
    return this.#persist(expectsMoreWrites);
  }

  /** The same without a write of its own: the next write includes it, and the result can be repeated. */
  recordLazily(change: StateChange): void {
    if (change.added && change.operation && this.#pending.get(change.operation) === "creating")
      this.#resolvedCreates.add(change.added.urn);
    if (change.operation) this.#pending.delete(change.operation);
    if (change.operation && (change.added || change.done)) this.#unsavedChanges.push(change);
    for (const state of [change.done, change.added])
      if (state && !change.isUntouched) this.#resolvedPending.add(state.urn);
    if (change.done) this.#dones.add(change.done);
    if (change.added) {
      this.#news.push(change.added);
      this.#writer?.invalidate(change.added);
    }
    this.#isDirty = true;
  }

  /** The outcome of a create that an earlier run left pending is known. */
  resolveCreate(urn: string): void {
    this.#resolvedCreates.add(urn);
    this.#isDirty = true;
  }

  /** A resource was changed in place. */
  markChanged(state: ResourceState): void {
    this.#writer?.invalidate(state);
    this.#isDirty = true;
  }

  /** Replaces the old state by another list, after a partial refresh. */
  rebase(resources: readonly ResourceState[], refreshed: Iterable<ResourceState>): void {
    this.#base = resources;
    for (const state of refreshed) this.#resolvedPending.add(state.urn);
    this.#isDirty = true;
  }

  /** From now on resources may refer to others that do not exist. */
  allowDangling(): void {
    this.#mayDangle = true;
  }

  /** From now on resources may come before those that they refer to. */
  allowUnordered(): void {
    this.#mayBeUnordered = true;
  }

  /** The resources as they would be written now. */
  resources(): ResourceState[] {
    const list = this.#mergedResources();
    return this.#normalize(list, aliasMapping(list));
  }

  #mergedResources(): ResourceState[] {
    return [...this.#news, ...this.#base].filter((r) => !this.#dones.has(r));
  }

  /** With new names, each after the resources that it refers to, and without references to removed ones. */
  #normalize(list: ResourceState[], fix: UrnMapping | undefined): ResourceState[] {
    const named = fix === undefined ? list : list.map((r) => rewriteUrns(r, fix));
    const ordered = this.#mayBeUnordered ? sortByReferences(named) : named;
    return this.#mayDangle ? dropDanglingReferences(ordered) : ordered;
  }

  /** Writes the results that are not in the file; writes at least once. */
  async close(): Promise<void> {
    if (this.#writer === undefined) return;
    while (this.#writing) await this.#writing.catch(() => undefined);
    if (this.#isDirty || this.#writer.writes === 0) await this.#write({ last: true });
  }

  /** The results of operations that are not in the file. */
  get unsaved(): readonly StateChange[] {
    return this.#unsavedChanges;
  }

  /** Writes the state to another place; resolves to its path. */
  async writeEmergencyCopy(): Promise<string | undefined> {
    return this.#writer?.writeEmergencyCopy(this.#build());
  }

  /** The path of the state file. */
  get file(): string | undefined {
    return this.#writer?.file;
  }

  #build(last = false): Snapshot {
    const list = this.#mergedResources();
    const fix = aliasMapping(list);
    const resources = this.#normalize(list, fix);
    const unresolved = this.#initial.pendingOperations.filter(
      (p) => !(p.type === "creating" ? this.#resolvedCreates : this.#resolvedPending).has(p.resource.urn),
    );
    const current = [...this.#pending].map(([resource, type]): PendingOperation => ({ resource, type }));
    const pendingOperations = [...current, ...unresolved].map((p) => ({ ...p, resource: recordedResource(p, fix) }));
    if (!last) return { ...this.#initial, resources, pendingOperations };
    // No run could settle an operation on a resource that is not in the state.
    const urns = new Set(resources.map((r) => r.urn));
    return {
      ...this.#initial,
      resources,
      pendingOperations: pendingOperations.filter((p) => p.type === "creating" || urns.has(p.resource.urn)),
    };
  }

  async #write(options: { last?: boolean } = {}): Promise<void> {
    this.#isDirty = false;
    const news = this.#unsavedChanges.splice(0);
    try {
      await this.#writer?.write(this.#build(options.last), options);
    } catch (error) {
      this.#isDirty = true;
      this.#unsavedChanges.unshift(...news);
      throw error;
    }
  }

  #persist(expectsMoreWrites: boolean): Promise<void> {
    this.#isDirty = true;
    this.#expectsMoreWrites = expectsMoreWrites;
    if (this.#writer === undefined) return Promise.resolve();
    const persisted = new Promise<void>((resolve, reject) => this.#waiters.push({ resolve, reject }));
    if (!expectsMoreWrites) this.#flushNow?.();
    this.#writing ??= this.#writeBatches();
    return persisted;
  }

  async #writeBatches(): Promise<void> {
    while (this.#waiters.length > 0) {
      await new Promise<void>((done) => setImmediate(done));
      if (this.#expectsMoreWrites)
        await new Promise<void>((done) => {
          const timer = setTimeout(done, BATCH_WINDOW_MS);
          this.#flushNow = () => {
            clearTimeout(timer);
            done();
          };
        });
      this.#flushNow = undefined;
      const served = this.#waiters;
      this.#waiters = [];
      try {
        await this.#write();
        for (const w of served) w.resolve();
      } catch (error) {
        for (const w of served) w.reject(error);
      }
    }
    // Cleared synchronously: a later caller must not wait for a writer that has ended.
    this.#writing = undefined;
  }
}
