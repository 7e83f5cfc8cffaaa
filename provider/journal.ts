/**
 * What the state may not know of branding and e-mails, kept in a small file beside the program from before a request until
 * the state has it: a run that gets killed, or whose answer is lost, loses nothing. Holds no key.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writeDurably } from "../disk/durable-file";
import { hashOf } from "./echo";
import { Failure } from "./errors";

/** What was there before the first change, by field; `null` when there was nothing. */
export type Originals = Record<string, string | null>;
/** Marks of the values that were sent, by field: a value of the account that has one of them is this project's own. */
export type Marks = Record<string, string[]>;

/** What is remembered of one object. */
export interface Entry {
  originals: Originals;
  sent: Marks;
}

const entrySchema = z.object({
  originals: z.record(z.string(), z.string().nullable()),
  sent: z.record(z.string(), z.array(z.string())).default({}),
});

/** Where in the program's folder the files are. */
export const journalFolder = join(".esign", "journal");

export class Journal {
  constructor(readonly directory: string) {}

  /** What is remembered of an object. Never guessed: a file that cannot be read is an error. */
  read(object: string): Entry {
    let text: string;
    try {
      text = readFileSync(this.#path(object), "utf8");
    } catch (error) {
      if (isAbsent(error)) return { originals: {}, sent: {} };
      throw this.#unreadable(object, (error as NodeJS.ErrnoException).code ?? "unknown failure");
    }
    try {
      return entrySchema.parse(JSON.parse(text));
    } catch (error) {
      throw this.#unreadable(object, error instanceof z.ZodError ? "members are missing or wrong" : "it is not JSON");
    }
  }

  /** Remembers what is not remembered yet: the first original is the true one. Answers what is new. */
  async add(object: string, { originals, sent }: Entry): Promise<Entry> {
    const before = this.read(object);
    const fresh: Entry = {
      originals: pick(originals, (_, field) => !(field in before.originals)),
      sent: each(sent, (marks, field) => marks.filter((mark) => !before.sent[field]?.includes(mark))),
    };
    if (isEmpty(fresh)) return fresh;
    const marks = each({ ...before.sent, ...fresh.sent }, (_, field) => [
      ...(before.sent[field] ?? []),
      ...(fresh.sent[field] ?? []),
    ]);
    try {
      await this.#write(object, { originals: { ...originals, ...before.originals }, sent: marks });
    } catch (error) {
      if (Object.keys(fresh.originals).length > 0) throw error;
      // Marks only spare people a question. Nothing is lost without them.
      return { originals: {}, sent: {} };
    }
    return fresh;
  }

  /** Forgets a part: it is safe elsewhere, or was not carried out after all. Answers what is left. */
  async drop(object: string, { originals, sent }: Entry): Promise<Entry> {
    const before = this.read(object);
    const left: Entry = {
      originals: pick(before.originals, (_, field) => !(field in originals)),
      sent: each(before.sent, (marks, field) => marks.filter((mark) => !sent[field]?.includes(mark))),
    };
    if (isEmpty(left)) this.forget(object);
    else if (JSON.stringify(left) !== JSON.stringify(before)) await this.#write(object, left);
    return left;
  }

  async #write(object: string, entry: Entry): Promise<void> {
    const note =
      "What was there before the first deployment, which a deletion puts back, and hashes of what was sent and may not be in the state. Remove this file to forget it.";
    try {
      mkdirSync(join(this.directory, journalFolder), { recursive: true, mode: 0o700 });
      await writeDurably(this.#path(object), `${JSON.stringify({ note, ...entry }, null, 2)}\n`, { mode: 0o600 });
    } catch (error) {
      const { code = "unknown failure" } = error as NodeJS.ErrnoException;
      const remedy = ["ENOSPC", "EDQUOT"].includes(code) ? "make room on its disk" : "make that folder writable";
      throw new Failure(
        `what is there now cannot be kept for a later deletion (${code} in ${journalFolder} beside the program), so nothing was changed; ${remedy}`,
      );
    }
  }

  forget(object: string): void {
    try {
      rmSync(this.#path(object));
    } catch (error) {
      if (isAbsent(error)) return;
      // What stays would be taken for the original of a later deployment.
      const { code = "unknown failure" } = error as NodeJS.ErrnoException;
      throw new Failure(`${this.#name(object)} is not needed any more and cannot be removed (${code}); remove it`);
    }
  }

  /** What was there before would be lost for good if this went on without it. */
  #unreadable(object: string, why: string): Failure {
    return new Failure(
      `what was there before the first deployment is in ${this.#name(object)} beside the program, and that cannot be read (${why}), so nothing was changed; put a good copy of the file in its place, or remove it to forget what was there before`,
    );
  }

  #name(object: string): string {
    return join(journalFolder, `${hashOf(object)}.json`);
  }

  #path(object: string): string {
    return join(this.directory, this.#name(object));
  }
}

function pick<T>(members: Record<string, T>, isWanted: (value: T, name: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(members).filter(([name, value]) => isWanted(value, name)));
}

/** Each member anew; those that become empty go. */
function each(marks: Marks, change: (marks: string[], field: string) => string[]): Marks {
  const changed = Object.entries(marks).map(([field, of]): [string, string[]] => [field, change(of, field)]);
  return Object.fromEntries(changed.filter(([, of]) => of.length > 0));
}

const isEmpty = ({ originals, sent }: Entry) => Object.keys(originals).length + Object.keys(sent).length === 0;

/** No file, or no folder that could hold one. */
function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}
