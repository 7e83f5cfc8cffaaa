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
export const creationsFolder = join(".esign", "creations");

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
type Note = z.output<typeof noteSchema> & {
  /** What has come of it: a line of its own behind the rest. */
  made?: string | undefined;
};

/** A creation of an earlier run. */
export interface Unheard {
  /** The word that its resource would have in the state. */
  born: string;
  /** Ids of the equal objects that were there before it. */
  before: readonly string[];
  /** What has come of it, once that was known. */
  made?: string | undefined;
}

export class Creations {
  /** Notes that are there, with what is in those that were read; nothing where that cannot be understood. */
  #notes: Map<string, Note | "unread" | undefined> | undefined;
  readonly #own = new Set<string>();
  #patience = patience;

  constructor(
    readonly directory: string,
    readonly clock: Clock = systemClock,
  ) {}

  /** Notes a creation that is about to be sent. Where nothing can be written, it is not known after a kill; nothing else is lost. */
  async begin(what: string, born: string, before: readonly string[]): Promise<void> {
    const note: Note = { holder: holder(), what: hashOf(what), before: [...before] };
    this.#own.add(born);
    try {
      await writeDurably(this.#path(born), `${JSON.stringify(note)}\n`, { mode: 0o600, flush: false });
      this.#known.set(born, note);
    } catch {}
  }

  /** Notes what has come of it. */
  made(born: string, object: string): void {
    const note = this.#read(born);
    if (note === undefined) return;
    note.made = object;
    try {
      appendFileSync(this.#path(born), `${object}\n`);
    } catch {}
  }

  /** What has come of creations, of whatever stack. */
  allMade(): Set<string | undefined> {
    return new Set([...this.#known.keys()].map((born) => this.#read(born)?.made));
  }

  /** The state has it, or it surely was not made. */
  forget(born: string | undefined): void {
    if (born === undefined || !this.#known.delete(born)) return;
    try {
      rmSync(this.#path(born), { force: true });
    } catch {}
  }

  /** Resolves to whether an earlier run may have made such an object, when nobody is at work on it any more. */
  async maybe(what: string): Promise<boolean> {
    const step = 100;
    for (; this.#matching(what).some(({ note }) => this.#isAtWork(note)) && this.#patience > 0; this.#patience -= step)
      await this.clock.sleep(step);
    return this.of(what).length > 0;
  }

  /** What earlier runs have begun, those first that found most objects before them. */
  of(what: string): Unheard[] {
    return this.#matching(what)
      .filter(({ note }) => !this.#isAtWork(note))
      .map(({ born, note: { before, made } }) => ({ born, before, made }))
      .sort((a, b) => b.before.length - a.before.length);
  }

  #matching(what: string): { born: string; note: Note }[] {
    const hash = this.#known.size === 0 ? "" : hashOf(what);
    return [...this.#known.keys()].flatMap((born) => {
      const note = this.#own.has(born) ? undefined : this.#read(born);
      return note?.what === hash ? [{ born, note }] : [];
    });
  }

  #isAtWork({ holder: by }: Note): boolean {
    // A note of this very process, but of another session, is one of an earlier run.
    if (by.pid === process.pid) return false;
    // Of a killed container nobody can tell. But this run has the stack's lock, so there is no other one any more.
    return !(hasEnded(by) ?? this.#patience <= 0);
  }

  #read(born: string): Note | undefined {
    let note = this.#known.get(born);
    if (note !== "unread") return note;
    try {
      const [begun, made, end] = readFileSync(this.#path(born), "utf8").split("\n");
      // What was cut off while it was written is not known.
      note = { ...noteSchema.parse(JSON.parse(begun!)), made: end === undefined ? undefined : made };
    } catch {
      note = undefined;
    }
    this.#known.set(born, note);
    return note;
  }

  get #known(): Map<string, Note | "unread" | undefined> {
    if (this.#notes === undefined) {
      let names: string[] = [];
      try {
        names = readdirSync(join(this.directory, creationsFolder)).filter((name) => name.endsWith(".json"));
      } catch {}
      this.#notes = new Map(names.map((name) => [name.slice(0, -".json".length), "unread"]));
    }
    return this.#notes;
  }

  #path(born: string): string {
    return join(this.directory, creationsFolder, `${born}.json`);
  }
}
