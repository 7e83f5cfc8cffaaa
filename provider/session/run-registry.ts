/**
 * What the processes of one run publish to one another: each explicit provider has a process of its own. A file of lines
 * for each process, in the system's folder for temporary files, since a preview publishes, too, and leaves nothing beside
 * the program. Holds no key.
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { currentProcess, hasEnded } from "../../fs/process-identity";
import { hashOf } from "../core/hash";

export class RunRegistry {
  /** What the names of the files of this run begin with. */
  readonly #run: string | undefined;
  readonly #own: string;
  #isOpen = false;

  /** `run`: what the processes of one run, and no others, have in common. Without it nothing is published. */
  constructor(run: string | undefined) {
    this.#run = run === undefined ? undefined : `${hashOf(run)}.`;
    this.#own = `${this.#run}${randomBytes(6).toString("base64url")}`;
  }

  /** Publishes a line. Best effort: where nothing can be written, the other processes do not see it. */
  publish(line: string): void {
    if (this.#run === undefined) return;
    try {
      if (!this.#isOpen) this.#open();
      appendFileSync(join(folder(), this.#own), `${line}\n`);
    } catch {}
  }

  /** What the other processes have published. */
  get published(): string[] {
    if (this.#run === undefined || !isOwnFolder()) return [];
    return filesIn(folder())
      .filter((name) => name.startsWith(this.#run!) && name !== this.#own)
      .flatMap((name) => linesOf(name).slice(1));
  }

  #open(): void {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    if (!isOwnFolder()) throw new Error("the folder belongs to another user");
    // A run that is over removes nothing: its processes are ended by the engine.
    for (const name of filesIn(folder())) if (isStale(name)) rmSync(join(folder(), name), { force: true });
    writeFileSync(join(folder(), this.#own), `${JSON.stringify(currentProcess())}\n`, { mode: 0o600, flag: "wx" });
    this.#isOpen = true;
  }
}

const folder = () => join(tmpdir(), `pulumi-esign-${process.getuid?.() ?? userInfo().username}`);

/** Every user may create folders there: another user's is not trusted. */
function isOwnFolder(): boolean {
  const entry = lstatSync(folder(), { throwIfNoEntry: false });
  if (entry?.isDirectory() !== true) return false;
  return process.getuid === undefined || (entry.uid === process.getuid() && (entry.mode & 0o077) === 0);
}

function filesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** The first line identifies the process. What is being written is not a line yet. */
function linesOf(name: string): string[] {
  try {
    return readFileSync(join(folder(), name), "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  }
}

/** True for the file of a process that has ended. */
function isStale(name: string): boolean {
  const [owner] = linesOf(name);
  try {
    return owner !== undefined && hasEnded(JSON.parse(owner)) === true;
  } catch {
    return false;
  }
}
