/**
 * Creations that the state may not have heard of, noted beside the program from before the request until the state has them. What a run
 * has made that is killed, or whose answer is lost, is found by the next one also where an equal object would be refused, or made a
 * second time (`onExisting: "fail"` and `"create"`). Holds no key.
 */
import { appendFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writeDurably } from "../../fs/atomic-write";
import { hasEnded, holder } from "../../fs/process-identity";
import { type Clock, systemClock } from "../core/clock";
import { hashOf } from "../core/hash";

/** Where in the program's folder the files are, one for each creation. */
export const pendingCreatesFolder = join(".esign", "creations");

/** Milliseconds for which the process that made a note may still be at work: it ends soon after its engine. */
const patience = 2000;

const noteSchema = z.object({
  holder: z.object({
    pid: z.number(),
    life: z.object({ boot: z.string(), namespace: z.string(), started: z.string() }).optional(),
  }),
  what: z.string(),
  before: z.array(z.string()),
});
interface Note extends Omit<z.output<typeof noteSchema>, "before"> {
  /** Ids of the equal objects that were there before it. */
  existing: readonly string[];
  /** What has come of it: a line of its own behind the rest. */
  createdId?: string | undefined;
}

/** A creation of an earlier run. */
export interface PendingCreate {
  /** The word that its resource would have in the state. */
  instanceId: string;
  /** Ids of the equal objects that were there before it. */
  existing: readonly string[];
  /** What has come of it, once that was known. */
  createdId?: string | undefined;
}

export class PendingCreates {
  /** Notes that are there, with what is in those that were read; nothing where that cannot be understood. */
  #notes: Map<string, Note | "unread" | undefined> | undefined;
  readonly #own = new Set<string>();
  #patience = patience;

  constructor(
    readonly directory: string,
    readonly clock: Clock = systemClock,
  ) {}

  /** Notes a creation that is about to be sent. Where nothing can be written, it is not known after a kill; nothing else is lost. */
  async begin(what: string, instanceId: string, existing: readonly string[]): Promise<void> {
    const note: Note = { holder: holder(), what: hashOf(what), existing: [...existing] };
    this.#own.add(instanceId);
    try {
      await writeDurably(
        this.#path(instanceId),
        `${JSON.stringify({ holder: note.holder, what: note.what, before: note.existing })}\n`,
        { mode: 0o600, flush: false },
      );
      this.#entries.set(instanceId, note);
    } catch {}
  }

  /** Notes what has come of it. */
  recordCreated(instanceId: string, object: string): void {
    const note = this.#read(instanceId);
    if (note === undefined) return;
    note.createdId = object;
    try {
      appendFileSync(this.#path(instanceId), `${object}\n`);
    } catch {}
  }

  /** What has come of creations, of whatever stack. */
  allCreated(): Set<string | undefined> {
    return new Set([...this.#entries.keys()].map((instanceId) => this.#read(instanceId)?.createdId));
  }

  /** The state has it, or it surely was not made. */
  remove(instanceId: string | undefined): void {
    if (instanceId === undefined || !this.#entries.delete(instanceId)) return;
    try {
      rmSync(this.#path(instanceId), { force: true });
    } catch {}
  }

  /** Resolves to whether an earlier run may have made such an object, when nobody is at work on it any more. */
  async hasUnfinished(what: string): Promise<boolean> {
    const step = 100;
    for (
      ;
      this.#matching(what).some(({ note }) => this.#isInProgress(note)) && this.#patience > 0;
      this.#patience -= step
    )
      await this.clock.sleep(step);
    return this.unfinished(what).length > 0;
  }

  /** What earlier runs have begun, those first that found most objects before them. */
  unfinished(what: string): PendingCreate[] {
    return this.#matching(what)
      .filter(({ note }) => !this.#isInProgress(note))
      .map(({ instanceId, note: { existing, createdId } }) => ({ instanceId, existing, createdId }))
      .sort((a, b) => b.existing.length - a.existing.length);
  }

  #matching(what: string): { instanceId: string; note: Note }[] {
    const hash = this.#entries.size === 0 ? "" : hashOf(what);
    return [...this.#entries.keys()].flatMap((instanceId) => {
      const note = this.#own.has(instanceId) ? undefined : this.#read(instanceId);
      return note?.what === hash ? [{ instanceId, note }] : [];
    });
  }

  #isInProgress({ holder: by }: Note): boolean {
    // A note of this very process, but of another session, is one of an earlier run.
    if (by.pid === process.pid) return false;
    // Of a killed container nobody can tell. But this run has the stack's lock, so there is no other one any more.
    return !(hasEnded(by) ?? this.#patience <= 0);
  }

  #read(instanceId: string): Note | undefined {
    const entry = this.#entries.get(instanceId);
    if (entry !== "unread") return entry;
    let note: Note | undefined;
    try {
      const [begun, createdId, end] = readFileSync(this.#path(instanceId), "utf8").split("\n");
      // What was cut off while it was written is not known.
      const { before, ...parsed } = noteSchema.parse(JSON.parse(begun!));
      note = { ...parsed, existing: before, createdId: end === undefined ? undefined : createdId };
    } catch {
      note = undefined;
    }
    this.#entries.set(instanceId, note);
    return note;
  }

  get #entries(): Map<string, Note | "unread" | undefined> {
    if (this.#notes === undefined) {
      let names: string[] = [];
      try {
        names = readdirSync(join(this.directory, pendingCreatesFolder)).filter((name) => name.endsWith(".json"));
      } catch {}
      this.#notes = new Map(names.map((name) => [name.slice(0, -".json".length), "unread"]));
    }
    return this.#notes;
  }

  #path(instanceId: string): string {
    return join(this.directory, pendingCreatesFolder, `${instanceId}.json`);
  }
}
