/**
 * The journal of a fleet's run, in `.esign/fleet/`: one line when a stack begins and one when it ends. It survives a kill and a power
 * failure, so that `--resume` does nothing twice.
 */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { syncFolder } from "../../fs/atomic-write";
import { lock } from "../../fs/file-lock";
import { isOfLaterVersion } from "../../fs/format-version";
import { appendJsonLine, parseJsonLines } from "../../fs/json-lines";
import { makeLocalFolder } from "../../fs/local-folder";
import { readText } from "../../fs/optional-files";
import { UsageError } from "../output/errors";
import { localFolder } from "../project/project-files";

const formatVersion = 1;

const lineSchema = z.union([
  z.object({ version: z.literal(formatVersion), verb: z.string(), salt: z.string() }),
  z.object({ begin: z.string() }),
  z.object({ end: z.string(), ok: z.boolean(), hash: z.string() }),
]);
type Line = z.output<typeof lineSchema>;

/** What the lines of a journal say. */
interface Past {
  salt: string;
  /** The values, as hashes, with which stacks were finished. */
  finished: ReadonlyMap<string, string>;
  /** Stacks that were begun and did not end. */
  interrupted: ReadonlySet<string>;
}

export function parseJournal(text: string): Past | undefined {
  const lines = parseJsonLines<object | string>(text).flatMap((value) => lineSchema.safeParse(value).data ?? []);
  const [head] = lines;
  if (head === undefined || !("version" in head)) return undefined;
  const finished = new Map<string, string>();
  const interrupted = new Set<string>();
  for (const line of lines) {
    if ("begin" in line) {
      interrupted.add(line.begin);
      finished.delete(line.begin);
    } else if ("end" in line) {
      interrupted.delete(line.end);
      if (line.ok) finished.set(line.end, line.hash);
    }
  }
  return { salt: head.salt, finished, interrupted };
}

/** @throws {UsageError} for one of a later version: without what it says, everything would be done again */
function readJournal(text: string, path: string): Past | undefined {
  if (parseJsonLines<object | string>(text).some((line) => isOfLaterVersion(line, formatVersion)))
    throw new UsageError(
      `${path} was written by a later version of esign. Resume with that version, or begin again without --resume`,
    );
  return parseJournal(text);
}

const inProgress = (verb: string, pid: number | undefined, lockPath: string) =>
  new UsageError(
    `esign fleet ${verb} is running already, as process ${pid ?? "unknown"}. Wait until it has ended; if that process is another program, delete ${lockPath}`,
  );

export class Journal {
  readonly #path: string;
  readonly #unlock: () => void;

  private constructor(
    path: string,
    unlock: () => void,
    readonly salt: string,
    /** What the run that this one resumes has done. */
    readonly past: Past | undefined,
  ) {
    this.#path = path;
    this.#unlock = unlock;
  }

  /**
   * @param name tells runs apart that have nothing to do with each other
   * @throws {UsageError} if such a run is in progress on this machine
   */
  static async open(folder: string, verb: string, name: string, resume: boolean): Promise<Journal> {
    const path = join(localFolder(folder), "fleet", `${name}.jsonl`);
    makeLocalFolder(localFolder(folder));
    makeLocalFolder(dirname(path));
    // Before the file is opened, which may empty it. Who holds it is in no line of the file: a resumed run has other lines before its own.
    const unlock = lock(path, (pid, lockPath) => inProgress(verb, pid, lockPath));
    try {
      const resumed = resume ? readJournal((await readText(path)) ?? "", path) : undefined;
      if (resumed === undefined) rmSync(path, { force: true });
      const journal = new Journal(path, unlock, resumed?.salt ?? randomBytes(16).toString("hex"), resumed);
      journal.#write({ version: formatVersion, verb, salt: journal.salt });
      await syncFolder(dirname(path));
      return journal;
    } catch (error) {
      unlock();
      throw error;
    }
  }

  begin(stack: string): void {
    this.#write({ begin: stack });
  }

  end(stack: string, ok: boolean, hash: string): void {
    this.#write({ end: stack, ok, hash });
  }

  close(): void {
    this.#unlock();
  }

  #write(line: Line): void {
    appendJsonLine(this.#path, line, { flush: true });
  }
}
