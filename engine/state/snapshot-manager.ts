/**
 * The state while it changes. New states come in the order in which they were completed, then the old ones that are
 * not done with, in their old order: so everything stays behind what it refers to, whatever fails or is killed.
 *
 * What must not be lost is waited for: that an operation begins, before it begins; what came of it, before anybody is
 * told. One write serves all that are waiting.
 *
 * Serves: the checkpoint file while an operation runs.
 */

import { type Renaming, withUrns } from "../resource/rename-urns";
import type { PendingOperation, ResourceState } from "../resource/state";
import type { StateWriter } from "./checkpoint-writer";
import type { Deployment } from "./snapshot";
import { asRecorded, inOrder, renamingOf, withoutDangling } from "./snapshot-order";

/** How long a write waits for others that are about to need one, in milliseconds. */
const GATHER = 50;

/** What came of a step. */
export interface StateChange {
  /** The operation that was announced with {@link Snapshot.begin}. */
  operation?: ResourceState | undefined;
  /** The old state that a new one, or nothing, takes the place of. */
  done?: ResourceState | undefined;
  added?: ResourceState | undefined;
  /** The run leaves it alone: how an earlier one was interrupted at it stays a question. */
  untouched?: boolean | undefined;
}

export class Snapshot {
  private news: ResourceState[] = [];
  private readonly dones = new Set<ResourceState>();
  private readonly pending = new Map<ResourceState, PendingOperation["type"]>();
  /** What something came of in this run: how an earlier one was interrupted at it is no question any more. */
  private readonly settled = new Set<string>();
  private base: readonly ResourceState[];
  /** What came of operations and is not in the file yet. */
  private unwritten: StateChange[] = [];
  /** A refresh removed resources while others that refer to them were not registered yet. */
  private dangling = false;
  /** Something that stays as it is was recorded, perhaps before what it refers to was done. */
  private ahead = false;
  private dirty = false;

  private waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  private writing: Promise<void> | undefined;
  private hurry: (() => void) | undefined;

  constructor(
    private readonly deployment: Deployment,
    /** Absent in a preview: then nothing is written. */
    private readonly writer: StateWriter | undefined,
    /** True while somebody else is likely to need a write soon. */
    private readonly moreToCome: () => boolean,
  ) {
    this.base = deployment.resources;
  }

  get writes(): number {
    return this.writer?.writes ?? 0;
  }

  /** An operation is about to begin. */
  begin(state: ResourceState, type: PendingOperation["type"]): Promise<void> {
    this.pending.set(state, type);
    return this.persist();
  }

  /** What an operation came to; resolves when it is safe. */
  end(change: StateChange): Promise<void> {
    this.note(change);
    return this.persist();
  }

  /** The same for what is not lost when it is not written: the next write has it. */
  note(change: StateChange): void {
    if (change.operation) this.pending.delete(change.operation);
    if (change.operation && (change.added || change.done)) this.unwritten.push(change);
    for (const state of [change.done, change.added]) if (state && !change.untouched) this.settled.add(state.urn);
    if (change.done) this.dones.add(change.done);
    if (change.added) {
      this.news.push(change.added);
      this.writer?.changed(change.added);
    }
    this.dirty = true;
  }

  /** A resource was changed in place. */
  changed(state: ResourceState): void {
    this.writer?.changed(state);
    this.dirty = true;
  }

  /** Another list takes the place of the old state, after a refresh of some of it. */
  rebase(resources: readonly ResourceState[], refreshed: Iterable<ResourceState>): void {
    this.base = resources;
    for (const state of refreshed) this.settled.add(state.urn);
    this.dirty = true;
  }

  /** From now on resources may refer to others that are not there. */
  resourceVanished(): void {
    this.dangling = true;
  }

  /** From now on resources may come before what they refer to. */
  keptAhead(): void {
    this.ahead = true;
  }

  /** The resources as they would be written now. */
  resources(): ResourceState[] {
    const list = this.list();
    return this.inPlace(list, renamingOf(list));
  }

  private list(): ResourceState[] {
    return [...this.news, ...this.base].filter((r) => !this.dones.has(r));
  }

  /** With their new names, each behind what it refers to, and without references to what is gone. */
  private inPlace(list: ResourceState[], fix: Renaming | undefined): ResourceState[] {
    const named = fix === undefined ? list : list.map((r) => withUrns(r, fix));
    const ordered = this.ahead ? inOrder(named) : named;
    return this.dangling ? withoutDangling(ordered) : ordered;
  }

  /** Writes what is not written; once in any case. */
  async close(): Promise<void> {
    if (this.writer === undefined) return;
    while (this.writing) await this.writing.catch(() => undefined);
    if (this.dirty || this.writer.writes === 0) await this.write({ last: true });
  }

  /** What came of operations and could not be written: nobody else knows it. */
  get unsaved(): readonly StateChange[] {
    return this.unwritten;
  }

  /** Writes the state to some other place; resolves to where it is. */
  async rescue(): Promise<string | undefined> {
    return this.writer?.rescue(this.now());
  }

  /** Where the state should be. */
  get file(): string | undefined {
    return this.writer?.file;
  }

  private now(last = false): Deployment {
    const list = this.list();
    const fix = renamingOf(list);
    const resources = this.inPlace(list, fix);
    const kept = this.deployment.pendingOperations.filter(
      (p) => p.type === "creating" || !this.settled.has(p.resource.urn),
    );
    const current = [...this.pending].map(([resource, type]): PendingOperation => ({ resource, type }));
    const pendingOperations = [...current, ...kept].map((p) => ({ ...p, resource: asRecorded(p, fix) }));
    if (!last) return { ...this.deployment, resources, pendingOperations };
    // What no state knows cannot be looked at by any run.
    const known = new Set(resources.map((r) => r.urn));
    return {
      ...this.deployment,
      resources,
      pendingOperations: pendingOperations.filter((p) => p.type === "creating" || known.has(p.resource.urn)),
    };
  }

  private async write(options: { last?: boolean } = {}): Promise<void> {
    this.dirty = false;
    const news = this.unwritten.splice(0);
    try {
      await this.writer?.write(this.now(options.last), options);
    } catch (error) {
      this.dirty = true;
      this.unwritten.unshift(...news);
      throw error;
    }
  }

  private persist(): Promise<void> {
    this.dirty = true;
    if (this.writer === undefined) return Promise.resolve();
    const persisted = new Promise<void>((resolve, reject) => this.waiting.push({ resolve, reject }));
    if (!this.moreToCome()) this.hurry?.();
    this.writing ??= this.serve();
    return persisted;
  }

  private async serve(): Promise<void> {
    while (this.waiting.length > 0) {
      await new Promise<void>((done) => setImmediate(done));
      if (this.moreToCome())
        await new Promise<void>((done) => {
          const timer = setTimeout(done, GATHER);
          this.hurry = () => {
            clearTimeout(timer);
            done();
          };
        });
      this.hurry = undefined;
      const served = this.waiting;
      this.waiting = [];
      try {
        await this.write();
        for (const w of served) w.resolve();
      } catch (error) {
        for (const w of served) w.reject(error);
      }
    }
    // At once: who comes a moment later must not take this one for at work.
    this.writing = undefined;
  }
}
