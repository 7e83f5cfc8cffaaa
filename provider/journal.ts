/**
 * What branding and e-mails were like before the first change, kept in a small file beside the program from before the
 * first request until the state is known to have it: a run that gets killed in between loses nothing. Holds no key.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../disk/durable-file";
import { hashOf } from "./echo";
import { Failure } from "./errors";

export type Originals = Record<string, string | null>;

/** Where in the program's folder the files are. */
export const journalFolder = join(".esign", "journal");

export class Journal {
  constructor(readonly directory: string) {}

  /** What is remembered of an object; undefined when nothing is. Never guessed: a file that cannot be read is an error. */
  read(object: string): Originals | undefined {
    let found: unknown;
    try {
      found = JSON.parse(readFileSync(this.#path(object), "utf8"));
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw this.#unreadable(object, (error as NodeJS.ErrnoException).code ?? "it is not JSON");
    }
    const originals = (found as { originals?: unknown } | null)?.originals;
    if (originals === null || typeof originals !== "object")
      throw this.#unreadable(object, 'its member "originals" is missing');
    return originals as Originals;
  }

  /** Remembers what is not remembered yet: the first original is the true one. Answers the fields that are new. */
  async add(object: string, originals: Originals): Promise<string[]> {
    const before = this.read(object) ?? {};
    const added = Object.keys(originals).filter((field) => !(field in before));
    if (added.length > 0) await this.#write(object, { ...originals, ...before });
    return added;
  }

  /** Forgets some fields: they are safe elsewhere, or were not changed after all. Answers what is left. */
  async drop(object: string, fields: readonly string[]): Promise<Originals> {
    const before = this.read(object) ?? {};
    const left = Object.fromEntries(Object.entries(before).filter(([field]) => !fields.includes(field)));
    if (Object.keys(left).length === 0) this.forget(object);
    else if (fields.some((field) => field in before)) await this.#write(object, left);
    return left;
  }

  async #write(object: string, originals: Originals): Promise<void> {
    const entry = {
      note: "What was there before the first deployment. It is put back by a deletion. Remove this file to forget it.",
      originals,
    };
    try {
      mkdirSync(join(this.directory, journalFolder), { recursive: true, mode: 0o700 });
      await writeDurably(this.#path(object), `${JSON.stringify(entry, null, 2)}\n`, { mode: 0o600 });
    } catch (error) {
      const { code = "unknown failure" } = error as NodeJS.ErrnoException;
      throw new Failure(
        `what is there now cannot be kept for a later deletion (${code} in ${journalFolder} beside the program), so nothing was changed; make that folder writable`,
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

/** No file, or no folder that could hold one. */
function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}
