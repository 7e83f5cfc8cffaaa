/**
 * What the processes of one run tell one another: each explicit provider has a process of its own. A file of lines for each
 * process, in the system's folder for temporary files, since a preview tells, too, and leaves nothing beside the program. Holds no key.
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { hasEnded, holder } from "../../fs/process-identity";
import { hashOf } from "../core/hash";

export class RunRegistry {
  /** What the names of the files of this run begin with. */
  readonly #run: string | undefined;
  readonly #own: string;
  #isOpen = false;

  /** `run`: what the processes of one run, and no others, have in common. Without it nobody is told anything. */
  constructor(run: string | undefined) {
    this.#run = run === undefined ? undefined : `${hashOf(run)}.`;
    this.#own = `${this.#run}${randomBytes(6).toString("base64url")}`;
  }

  /** Tells the others. Where nothing can be written they do not know; nothing else is lost. */
  publish(line: string): void {
    if (this.#run === undefined) return;
    try {
      if (!this.#isOpen) this.#open();
      appendFileSync(join(folder(), this.#own), `${line}\n`);
    } catch {}
  }

  /** What the others have told. */
  get published(): string[] {
    if (this.#run === undefined || !isOwnFolder()) return [];
    return filesIn(folder())
      .filter((name) => name.startsWith(this.#run!) && name !== this.#own)
      .flatMap((name) => linesOf(name).slice(1));
  }

  #open(): void {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    if (!isOwnFolder()) throw new Error("the folder is somebody else's");
    // A run that is over takes nothing away: its processes are ended by the engine.
    for (const name of filesIn(folder())) if (isStale(name)) rmSync(join(folder(), name), { force: true });
    writeFileSync(join(folder(), this.#own), `${JSON.stringify(holder())}\n`, { mode: 0o600, flag: "wx" });
    this.#isOpen = true;
  }
}

const folder = () => join(tmpdir(), `pulumi-esign-${process.getuid?.() ?? userInfo().username}`);

/** Anybody may make folders there: one of somebody else's is not believed. */
function isOwnFolder(): boolean {
  const found = lstatSync(folder(), { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0);
}

function filesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** The first line tells whose it is. What is being written is not a line yet. */
function linesOf(name: string): string[] {
  try {
    return readFileSync(join(folder(), name), "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  }
}

function isStale(name: string): boolean {
  const [by] = linesOf(name);
  try {
    return by !== undefined && hasEnded(JSON.parse(by)) === true;
  } catch {
    return false;
  }
}
