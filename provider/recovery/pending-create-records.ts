/**
 * Creates that the state may not include, recorded beside the program from before the request until the state has them.
 * What a run has created that is killed, or whose response is lost, is found by the next one: also where an identical
 * object would be rejected, or created a second time (`onExisting: "fail"` and `"create"`), and by a `destroy`, which
 * deletes what is surely of this stack. Holds no key.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { exhaustionRemedy } from "../../fs/exhausted";
import { keyedHash } from "../../fs/machine-key";
import { currentProcess, hasEnded } from "../../fs/process-identity";
import { Ages } from "../core/ages";
import { type Clock, systemClock } from "../core/clock";
import { Failure } from "../core/failure";
import type { PendingCreate, PendingCreateLog } from "../core/object-access";
import { earlierProcess } from "../core/time-limits";
import { EntryFiles } from "./entry-files";
import {
  type AppendedLine,
  type FirstLine,
  instanceIdOf,
  parsePendingCreate,
  pendingCreateFileOf,
  pendingCreatesFolder,
  type RecordedCreate,
  renderPendingCreate,
} from "./pending-create-file";

/** The resource that creates an object. */
export interface CreatingResource {
  /** Undefined for what no class of this package has registered. */
  urn?: string | undefined;
  /** True if it asks for an object of its own (`onExisting: "create"`): then others may declare the same. */
  isAlike: boolean;
  /** True for what takes the place of an instance that the state has. */
  isReplacement: boolean;
}

/** What is created. */
interface CreateTarget extends CreatingResource {
  kind: string;
  stack: string;
  company?: string | undefined;
  /** Kind, natural key, account and stack, of which the record has a hash. */
  name: string;
  /** The current key and address, of which the record has a hash. */
  sender: string;
  /** True if a record may be of the instance that is replaced, which was created and is in the state. */
  hasFormerRecord: boolean;
  /** True for a resource that the program is known to declare. */
  isDeclared(urn: string): boolean;
}

/**
 * In a folder that cannot be written or read, a killed create is not found again; nothing else is lost. On a full disk nothing is created:
 * what cannot be recorded here may not get into the state, either.
 */
export class PendingCreateRecords {
  /** `null`: the file is not understood. */
  readonly #files: EntryFiles<RecordedCreate | null>;
  #earlierNames: string[] | undefined;
  /** The files that this process has written, or read for what is equal: each other one is read once. */
  readonly #seen = new Set<string>();
  /** By what is created, those of them without a known outcome. */
  readonly #open = new Map<string, Set<string>>();
  /** Instance ids of the creates that this process continues. */
  readonly #taken = new Set<string>();
  /** Until when creates wait for the process of an earlier run, all at once. */
  #waitingEnds: number | undefined;

  constructor(
    readonly directory: string,
    readonly clock: Clock = systemClock,
  ) {
    this.#files = new EntryFiles(directory, pendingCreatesFolder, parsePendingCreate);
  }

  /** The creates of a target, of earlier runs and this one's. `objectOf`: an object by its id in the account. */
  logOf(target: CreateTarget, instanceId: string, objectOf: (id: string) => string): PendingCreateLog {
    return {
      age: () => this.#age,
      hasPending: () => this.#hasPending(target),
      pending: () => this.#pending(target, objectOf),
      begin: (existing) => this.#begin(target, instanceId, existing),
      created: (id) => this.#recordCreated(instanceId, id, objectOf(id)),
      discard: () => this.remove(instanceId),
    };
  }

  /** Records a create that is about to be sent. Throws where the disk is full or fails. */
  async #begin(target: CreateTarget, instanceId: string, existing: readonly string[]): Promise<void> {
    void this.#earlier;
    const { kind, stack, company, urn, isAlike, isReplacement } = target;
    try {
      const line: FirstLine = {
        process: currentProcess(),
        target: keyedHash("create", target.name),
        sender: keyedHash("create", target.sender),
        ...{ existing, kind, stack, company, urn, isAlike, isReplacement },
      };
      const file = pendingCreateFileOf(instanceId);
      this.#addSeen(file, line.target);
      await this.#files.write(file, { ...line, instanceId }, renderPendingCreate(line), true);
    } catch (error) {
      const remedy = exhaustionRemedy((error as NodeJS.ErrnoException).code);
      if (remedy !== undefined) throw unrecordedFailure(error as NodeJS.ErrnoException, remedy);
    }
  }

  /** Records the object that it has created. */
  async #recordCreated(instanceId: string, id: string, object: string): Promise<void> {
    const record = this.#read(pendingCreateFileOf(instanceId));
    if (record === undefined) return;
    this.#excludeFromOthers(record, id);
    record.createdObject = object;
    try {
      this.#append(pendingCreateFileOf(instanceId), { createdObject: object }, true);
    } catch {}
  }

  /**
   * What this create has made is not what an equal one has, whose outcome is not known yet: the next run reads it there. Those of another
   * process of the run are looked for where it asks for an object of its own: then there may be any number of them.
   */
  #excludeFromOthers({ instanceId, target, isAlike }: RecordedCreate, id: string): void {
    this.#open.get(target)?.delete(pendingCreateFileOf(instanceId));
    if (isAlike) this.#findOthers();
    for (const name of this.#open.get(target) ?? []) {
      try {
        if (this.#files.readNow(name)?.createdObject === undefined) this.#append(name, { excludedId: id }, false);
        else this.#open.get(target)!.delete(name);
      } catch {
        // The state has it meanwhile.
        this.#open.get(target)!.delete(name);
      }
    }
  }

  #append(name: string, line: AppendedLine, flush: boolean): void {
    this.#files.append(name, line, flush);
  }

  /** Finds the creates of other processes. */
  #findOthers(): void {
    for (const name of this.#files.namesNow) {
      if (this.#seen.has(name) || instanceIdOf(name) === undefined) continue;
      try {
        const record = this.#files.readNow(name);
        this.#addSeen(name, record?.createdObject === undefined ? record?.target : undefined);
      } catch {
        // The state has it meanwhile.
      }
    }
  }

  /** `target`: of a create without a known outcome. */
  #addSeen(name: string, target: string | undefined): void {
    this.#seen.add(name);
    if (target === undefined) return;
    this.#open.set(target, (this.#open.get(target) ?? new Set()).add(name));
  }

  /** The state includes it, or it surely was not created. */
  remove(instanceId: string | undefined): void {
    if (instanceId === undefined) return;
    try {
      this.#files.remove(pendingCreateFileOf(instanceId));
    } catch {}
  }

  /** The objects that recorded creates have created, of all stacks. */
  #allCreated(): Set<string | undefined> {
    return new Set(this.#names.map((name) => this.#read(name)?.createdObject));
  }

  /** Milliseconds since the latest create of an earlier run began, or ended; 0 where that cannot be known. */
  get #age(): number {
    const timeOf = (name: string) => {
      const file = join(this.directory, pendingCreatesFolder, name);
      return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    };
    try {
      return Math.max(0, Ages.by(systemClock).of(Math.max(0, ...this.#earlier.map(timeOf))));
    } catch {
      return 0;
    }
  }

  /** The creates of earlier runs of a stack. */
  ofStack(stack: string): { kind: string; createdObject?: string | undefined }[] {
    return this.#earlier.flatMap((name) => {
      const record = this.#read(name);
      if (record?.stack !== stack || this.#isInProgress(record)) return [];
      return [{ kind: record.kind, createdObject: record.createdObject }];
    });
  }

  /** Whether earlier runs of a stack have left records, finished or not. */
  hasRecords(stack: string): boolean {
    return this.#earlier.some((name) => this.#read(name)?.stack === stack);
  }

  /** Removes the records of a stack's earlier runs. */
  forgetStack(stack: string): void {
    for (const name of this.#earlier) if (this.#read(name)?.stack === stack) this.remove(instanceIdOf(name));
  }

  /** What was created inside a company is gone with it: engines ask about none of that, but about what has no outcome. */
  forgetInside(companyId: string): void {
    for (const name of this.#names) {
      const { company, createdObject } = this.#read(name) ?? {};
      if (company === companyId && createdObject !== undefined) this.remove(instanceIdOf(name));
    }
  }

  /** Resolves to whether an earlier run may have created such an object, once no process is working on it any more. */
  async #hasPending(target: CreateTarget): Promise<boolean> {
    while (this.#of(target).some((record) => this.#isInProgress(record))) {
      this.#waitingEnds ??= this.clock.now() + earlierProcess.longest;
      if (this.#hasWaited) break;
      const left = this.#waitingEnds - this.clock.now();
      await this.clock.sleep(earlierProcess.pause, "another process of this stack, which is creating objects", left);
    }
    return this.#ended(target).length > 0;
  }

  #pending(target: CreateTarget, objectOf: (id: string) => string): PendingCreate[] {
    const created = this.#allCreated();
    return this.#ended(target).map(({ instanceId, existing, createdObject, sender, urn }) => ({
      existing,
      isOwn: urn !== undefined && urn === target.urn,
      isOfCurrentKey: sender === keyedHash("create", target.sender),
      mayHaveCreated: (id) =>
        createdObject === undefined
          ? !existing.includes(id) && !created.has(objectOf(id))
          : createdObject === objectOf(id),
      hasObject: createdObject !== undefined,
      take: () => void this.#taken.add(instanceId),
      forget: () => this.remove(instanceId),
    }));
  }

  /** The creates of earlier runs: first those that found most objects before them. */
  #ended(target: CreateTarget): RecordedCreate[] {
    return this.#of(target)
      .filter((record) => !this.#taken.has(record.instanceId) && !this.#isInProgress(record))
      .sort((a, b) => b.existing.length - a.existing.length);
  }

  /** Those of the resource itself. */
  #of(target: CreateTarget): RecordedCreate[] {
    const earlier = this.#earlier;
    const targetHash = earlier.length === 0 ? undefined : targetHashOf(target.name);
    return earlier.flatMap((file) => {
      const record = this.#read(file);
      return record !== undefined && record.target === targetHash && isOfResource(record, target) ? [record] : [];
    });
  }

  /** The files that were there when this process looked first, and still are. */
  get #earlier(): readonly string[] {
    this.#earlierNames ??= this.#names;
    return this.#earlierNames.length === 0 ? [] : this.#earlierNames.filter((name) => this.#files.has(name));
  }

  #isInProgress({ process: sending }: RecordedCreate): boolean {
    // A record of this very process, but of another session, belongs to an earlier run.
    if (sending.pid === process.pid) return false;
    // Of a killed container it cannot be seen. But this run has the stack's lock, so there is no other one any more.
    return !(hasEnded(sending) ?? this.#hasWaited);
  }

  get #hasWaited(): boolean {
    return this.#waitingEnds !== undefined && this.clock.now() >= this.#waitingEnds;
  }

  #read(name: string): RecordedCreate | undefined {
    try {
      const record = this.#files.read(name);
      return record ?? undefined;
    } catch (error) {
      if (error instanceof Failure) throw error;
      return undefined;
    }
  }

  get #names(): string[] {
    try {
      return this.#files.names.filter((name) => instanceIdOf(name) !== undefined);
    } catch {
      return [];
    }
  }
}

const unrecordedFailure = ({ code }: NodeJS.ErrnoException, remedy: string) =>
  new Failure(
    "ESIGN1054",
    `cannot record the create (${code} in ${pendingCreatesFolder}), without which the next run could create it a second time; nothing was created`,
    `${remedy} and rerun`,
  );

/**
 * Whether a record is of this resource. What no resource asks for as its own is declared once in a stack: then its resource has another
 * name by now. Of what several may ask for, each has its own, by its URN.
 */
function isOfResource(record: RecordedCreate, target: CreateTarget): boolean {
  if (record.urn === undefined || target.urn === undefined) return true;
  if (record.urn === target.urn) return record.isReplacement || !target.hasFormerRecord;
  return !(record.isAlike || target.isAlike || target.isDeclared(record.urn));
}

/** What is created may have a short secret in it, such as a webhook's URL, so its hash is keyed. Undefined without a key of this machine. */
function targetHashOf(name: string): string | undefined {
  try {
    return keyedHash("create", name);
  } catch {
    return undefined;
  }
}
